import { spawnSync } from 'node:child_process';
import { closeSync, constants, ftruncateSync, openSync } from 'node:fs';
import { readIdentity, stillRuns, writeIdentity } from './process-identity.ts';

/** What came of asking for a file: it is ours until we release it or end, or another process has it. */
export type FileLock =
  | { readonly kind: 'held'; readonly release: () => void }
  /** By which process, where it has said so and can be seen from here: not from another container. */
  | { readonly kind: 'taken'; readonly pid: number | undefined };

/**
 * How often we ask before we name nobody: the one that the file names has ended, and who has the file since then is about
 * to write its own name into it, or is a process just started that ends within milliseconds.
 */
const TRIES = 20;

/**
 * Takes a file, made where it is missing, for this process alone. The kernel gives it to one of all who ask, and takes it
 * back when this process ends, however it ends. The file is never removed: another may be about to lock it.
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

/** `open` locks while it opens, on macOS and BSD; Node has no name for it. */
const O_EXLOCK = 0x20;

/** The descriptor of the file, locked; undefined where another has the lock. Node closes it in every child. */
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

/** The lock belongs to what is open, not to the process that asks for it: it outlives flock(1), and ends with us. */
function lockedByFlock(file: number): number | undefined {
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', file],
    encoding: 'utf8',
  });
  if (status === 0) return file;
  closeSync(file);
  if (status === 1) return undefined;
  throw new Error(`flock, of util-linux, cannot lock: ${error?.message ?? stderr.trim()}`);
}
