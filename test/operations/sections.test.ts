import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = new URL('../../', import.meta.url);
const MODULE = new URL('scripts/lib/sections.mjs', ROOT).href;

describe('operations: the tests that run beside the sections', () => {
  it('are files that exist: mocha only warns of others, and expands no braces in their names', async () => {
    const { WAITING_SECTION } = (await import(MODULE)) as { WAITING_SECTION: { args: string[] } };
    const missing = WAITING_SECTION.args.filter((path) => !existsSync(fileURLToPath(new URL(path, ROOT))));
    expect(missing).to.deep.equal([]);
  });
});
