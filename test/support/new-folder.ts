import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { runFolder } from './run-folder.ts';

/** A new folder for files of a test. It is deleted at the end of the run. */
export function newFolder(): string {
  return mkdtempSync(join(runFolder(), 'files-'));
}
