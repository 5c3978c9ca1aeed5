import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runFolder } from './run-folder.ts';

/** A new folder for files of a test. It is deleted at the end of the run. */
export function newFolder(): string {
  return mkdtempSync(join(runFolder(), 'files-'));
}

/** A new folder for each test of a describe block, or for all of them. Returns its path, once a test or a hook runs. */
export function useFolder(of: 'each test' | 'the block' = 'each test'): () => string {
  let folder = '';
  const make = () => {
    folder = newFolder();
  };
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (of === 'each test') {
    beforeEach(make);
    afterEach(remove);
  } else {
    before(make);
    after(remove);
  }
  return () => folder;
}
