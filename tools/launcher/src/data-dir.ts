import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile } from '@sluice/machine/file-lock';
import { LaunchError } from './launch-error.ts';

/** Creates DATA_DIR (readable by its owner only) and locks it for this process. Resolves to the function that releases it. */
export async function claimDataDir(dataDir: string): Promise<() => void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFile(join(dataDir, 'launcher.lock'));
  if (lock.kind === 'held') return lock.release;
  throw new LaunchError(
    `npm start already runs on ${dataDir} (process ${lock.pid ?? 'not visible from here'}). Stop it, or set DATA_DIR to another folder.`,
  );
}
