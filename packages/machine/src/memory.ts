import { totalmem } from 'node:os';

/** What the machine has, or the container where that is less. Bytes. */
export function memoryOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** What the embedded store's heap may take: a third. Redis may take half, and the rest is for everybody else. Bytes. */
export function memoryForDocuments(): number {
  return Math.floor(memoryOfMachine() / 3);
}
