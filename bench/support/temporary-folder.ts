import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is deleted after the measurement. */
export async function temporaryFolder(): Promise<{ readonly path: string; stop(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  return { path, stop: () => rm(path, { recursive: true, force: true }) };
}
