import { spawnSync } from 'node:child_process';
import { closeSync, constants, ftruncateSync, openSync } from 'node:fs';
import { readIdentity, stillRuns, writeIdentity } from '@sluice/runtime/process-identity';

/** The result of locking a file. A held lock lasts until it is released or this process ends. */
export type FileLock =
  | { readonly kind: 'held'; readonly release: () => void }
  /** `pid`: the holder. Undefined if the file names none, or if the holder isn't visible here (another container). */
  | { readonly kind: 'taken'; readonly pid: number | undefined };

/**
 * Attempts before the holder is reported as unknown. The process that the file names may have ended. The new holder then
 * writes its own name within milliseconds, or is a new process that ends within milliseconds.
 */
const TRIES = 20;

/**
 * Locks a file for this process, and creates the file if it is missing. The kernel grants the lock to one process only.
 * It releases the lock when this process ends, even if it is killed. The file is never removed: another process may be
 * about to lock it.
 */
export async function lockFile(path: string): Promise<FileLock> {
  for (let left = TRIES; left > 0; left--) {
    const file = openLocked(path);
    if (file !== undefined) {
      await writeIdentity(path, process.pid);
      return { kind: 'held', release: () => letGo(file) };
    }
    const holder = await readIdentity(path);
    if (holder !== undefined && (await stillRuns(holder))) return { kind: 'taken', pid: holder.pid };
  }
  return { kind: 'taken', pid: undefined };
}

function letGo(file: number): void {
  ftruncateSync(file);
  closeSync(file);
}

/** On macOS and BSD, this flag makes `open` lock the file. Node has no constant for it. */
const O_EXLOCK = 0x20;

/** The descriptor of the locked file; undefined if another process has the lock. Node closes it in every child. */
function openLocked(path: string): number | undefined {
  const flags = constants.O_RDWR | constants.O_CREAT;
  if (process.platform === 'linux') return lockedByFlock(openSync(path, flags, 0o600));
  try {
    return openSync(path, flags | constants.O_NONBLOCK | O_EXLOCK, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

/** The lock belongs to the open file, not to the process that requests it. It outlives flock(1) and ends with us. */
function lockedByFlock(file: number): number | undefined {
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', file],
    encoding: 'utf8',
  });
  if (status === 0) return file;
  closeSync(file);
  if (status === 1) return undefined;
  throw new Error(`flock (util-linux) failed: ${error?.message ?? stderr.trim()}`);
}
