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

/** A process that dies while it moves entries to MongoDB has settled before: its turn has ended in Redis. */
export async function unlessCrashed<T>(settling: Promise<T>, ended: T): Promise<T> {
  try {
    return await settling;
  } catch (error) {
    if (error instanceof CrashError) return ended;
    throw error;
  }
}
