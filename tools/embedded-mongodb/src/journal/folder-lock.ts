import { join } from 'node:path';
import { lockFile } from '@sluice/machine/file-lock';

/** Another process uses the folder. */
export class FolderLockedError extends Error {
  constructor(folder: string, pid: number | undefined) {
    super(
      `the data folder ${folder} is in use by ${pid === undefined ? 'a process that is not to be seen from here' : `process ${pid}`}; stop that process first, or use another folder`,
    );
    this.name = 'FolderLockedError';
  }
}

/** Locks the folder for this process. Returns the function that releases it. */
export async function lockFolder(folder: string): Promise<() => void> {
  const lock = await lockFile(join(folder, 'lock'));
  if (lock.kind === 'taken') throw new FolderLockedError(folder, lock.pid);
  return lock.release;
}
