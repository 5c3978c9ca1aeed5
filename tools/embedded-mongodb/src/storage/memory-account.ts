import { CommandError } from '../errors.ts';

/** What the documents and their index entries take of the process's heap, about, and how much they may take. */
export interface MemoryAccount {
  /** Bytes more, or fewer when negative. */
  add(bytes: number): void;
  /** To be called before something is kept that takes more. Throws 14031 OutOfDiskSpace when everything is taken. */
  demandRoom(): void;
  /** From here on there is a limit (bytes). While a journal is read there is none: what was acknowledged is kept. */
  limitTo(bytes: number): void;
}

/**
 * An entry's share of the index's lists and maps, and of its document's own objects. Bytes; from the heap after a
 * collection with 200,000 events (609 bytes, two entries: 975 in all, where this says 1,008) and as many delivery rows
 * (878 bytes, four entries: 1,367, where this says 1,618). Maps that have just grown take more.
 */
export const ENTRY_BYTES = 150;
/** Below this part of the limit it is said that there is room again: at the very edge it would be said all the time. */
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
