import { totalmem } from 'node:os';

/** What the machine has, or the container where that is less. Bytes. */
export function memoryOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
