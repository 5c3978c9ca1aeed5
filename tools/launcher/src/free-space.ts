import { statfsSync } from 'node:fs';

/** A store that appends to its file ends below this. Bytes. */
const LITTLE = 16 * 1024 * 1024;

/** The free space of a disk, as `statfs` names it. */
export interface FreeSpace {
  readonly bavail: number;
  readonly bsize: number;
}

/** A sentence about a full disk; undefined if there is space. */
export function spaceTrouble({ bavail, bsize }: FreeSpace): string | undefined {
  const free = bavail * bsize;
  if (free >= LITTLE) return undefined;
  return `The disk of DATA_DIR is full: ${Math.floor(free / 1024 / 1024)} MiB are free. Make room there.`;
}

/** The same for the disk of a folder. A store's own log cannot name a full disk, because it is on that disk. */
export function spaceTroubleAt(folder: string): string | undefined {
  try {
    return spaceTrouble(statfsSync(folder));
  } catch {
    // Not every file system reports its free space. Then nothing is known of it.
    return undefined;
  }
}
