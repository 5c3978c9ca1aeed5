import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identify, type ProcessIdentity, processIdentity, stillRuns } from '@sluice/runtime/process-identity';
import { LaunchError } from './launch-error.ts';

/** Makes DATA_DIR (for its owner's eyes only) and claims it for this process; resolves to the undo. */
export async function claimDataDir(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = join(dataDir, 'launcher.lock');
  const holder = await readIdentity(lock);
  if (holder !== undefined && holder.pid !== process.pid && (await stillRuns(holder))) {
    throw new LaunchError(
      `npm start already runs on ${dataDir} (process ${holder.pid}). Stop that one, or set DATA_DIR to another folder.`,
    );
  }
  // Left by a launcher that was killed. Of two that come here at once, one gets the exclusive write.
  await rm(lock, { force: true });
  await writeIdentity(lock, process.pid, 'wx');
  return () => rm(lock, { force: true });
}

/** The process that a file names; undefined where there is no such file, or nothing readable in it. */
export async function readIdentity(path: string): Promise<ProcessIdentity | undefined> {
  try {
    return processIdentity.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Notes which process holds something, so that a later start can tell whether it still runs. */
export async function writeIdentity(path: string, pid: number, flag: 'w' | 'wx' = 'w'): Promise<void> {
  const identity = (await identify(pid)) ?? { pid, started: '' };
  await writeFile(path, `${JSON.stringify(identity)}\n`, { mode: 0o600, flag });
}
