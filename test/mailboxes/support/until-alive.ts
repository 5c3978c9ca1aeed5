import { CrashError } from './overflow-in-memory.ts';

/** A process that dies has its work repeated by another. */
export async function untilAlive<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CrashError)) throw error;
    }
  }
}
