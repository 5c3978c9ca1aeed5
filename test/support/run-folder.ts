import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The workers of `mocha --parallel` inherit it. */
const FOLDER = 'SLUICE_TEST_FOLDER';

/** A folder for temporary files, which are deleted at the end of the run. */
export function runFolder(): string {
  return process.env[FOLDER] ?? tmpdir();
}

/** Called before the run only. */
export function makeRunFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-tests-'));
  process.env[FOLDER] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}
