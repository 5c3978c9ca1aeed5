import { totalmem } from 'node:os';

/** Memory of the machine, or of the container if that is less. Bytes. */
export function memoryOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/**
 * Heap limit of the embedded store: a third of the memory. Redis may use half; the rest is for the other processes.
 * Bytes.
 */
export function memoryForDocuments(): number {
  return Math.floor(memoryOfMachine() / 3);
}
