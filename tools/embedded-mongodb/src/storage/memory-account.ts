import { CommandError } from '../errors.ts';

/** Approximate heap use of the documents and their index entries, and its limit. */
export interface MemoryAccount {
  /** Adds bytes, or removes them if negative. */
  add(bytes: number): void;
  /** Call this before storing something larger. Throws 14031 OutOfDiskSpace if all memory is used. */
  demandRoom(): void;
  /** Sets the limit in bytes. There is none while the journal is read, because acknowledged data must be kept. */
  limitTo(bytes: number): void;
}

/**
 * An entry's share of the index's lists and maps, and of its document's objects. Bytes. Measured in the heap after a
 * garbage collection, with 200,000 events (609 bytes, two entries: 975 in total, estimated 1,008) and as many delivery rows
 * (878 bytes, four entries: 1,367, estimated 1,618). Maps that have just grown use more.
 */
export const ENTRY_BYTES = 150;
/** Below this share of the limit the account reports free room again. Right at the limit it would report repeatedly. */
const ROOM_AGAIN = 0.95;

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

export function createMemoryAccount({ log }: { log: (message: string) => void }): MemoryAccount {
  let used = 0;
  let limit = Number.POSITIVE_INFINITY;
  let full = false;

  return {
    add(bytes) {
      used += bytes;
      if (!full || used >= limit * ROOM_AGAIN) return;
      full = false;
      log(`There is room for documents again: ${mebibytes(used)} of ${mebibytes(limit)} are taken.`);
    },
    demandRoom() {
      if (used < limit) return;
      const advice = `documents and indexes take ${mebibytes(used)} of the ${mebibytes(limit)} that the embedded development store may use: nothing that grows is stored until some are deleted or expire. Give it more memory, or use MongoDB (MONGO_URL)`;
      if (!full) log(`Full: ${advice}.`);
      full = true;
      throw new CommandError('OutOfDiskSpace', advice);
    },
    limitTo(bytes) {
      limit = bytes;
    },
  };
}
