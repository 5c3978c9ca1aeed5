import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Another living process works in the folder. */
export class FolderLockedError extends Error {
  constructor(folder: string, pid: number) {
    super(
      `the data folder ${folder} is in use by process ${pid}; stop that process first, or use another folder`,
    );
    this.name = 'FolderLockedError';
  }
}

interface Holder {
  readonly pid: number;
  /** Tells a process from a later one with the same number; empty where the system does not say. */
  readonly started: string;
}

/**
 * Takes the folder for this process; gives the function that frees it. A lock whose process is dead is taken over.
 * The lock appears with its content (link of a finished file), so nobody ever reads half of one.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock');
  const mine = join(folder, `lock.${process.pid}.${process.hrtime.bigint()}`);
  await writeFile(mine, JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Holder));
  try {
    for (;;) {
      if (await linked(mine, path)) return () => rm(path, { force: true });
      const holder = await readHolder(path);
      if (holder && isAlive(holder)) throw new FolderLockedError(folder, holder.pid);
      if (holder) await discard(path, `${mine}.stale`, holder);
    }
  } finally {
    await rm(mine, { force: true });
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Null when the lock has just gone. Something unreadable counts as left by a dead process. */
async function readHolder(path: string): Promise<Holder | null> {
  try {
    const { pid, started } = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>;
    return { pid: Number(pid), started: String(started) };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : { pid: 0, started: '' };
  }
}

/**
 * Removes a dead process's lock. Two may try at once: the rename gives the file to one of them, who puts it back when
 * it turns out to be somebody's new lock.
 */
async function discard(path: string, aside: string, dead: Holder): Promise<void> {
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = await readHolder(aside);
  if (taken && (taken.pid !== dead.pid || taken.started !== dead.started)) await linked(aside, path);
  await rm(aside, { force: true });
}

function isAlive({ pid, started }: Holder): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startOf(pid);
  return now === '' || started === '' || now === started;
}

/** The start time of a process in clock ticks since boot (field 22 of /proc/PID/stat), or empty. A zombie has none. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'zombie' : (fields[19] ?? '');
  } catch {
    return '';
  }
}
