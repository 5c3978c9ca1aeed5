import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Case, runCase } from './support/run-case.ts';
import { useImport } from './support/use-import.ts';

/** Beside the checkout, on build machines and where the cases are written. */
const FOLDER = new URL('../../../shared/cases/', import.meta.url).pathname;
const LIST = `${FOLDER}cases.json`;

describe('sluice import, by every case of ../shared/cases', () => {
  if (!existsSync(LIST)) {
    it('is skipped, because ../shared/cases is not beside this checkout');
    return;
  }
  const at = useImport();
  const NOT_YET = /^25-day|^26-/;
  for (const one of JSON.parse(readFileSync(LIST, 'utf8')) as Case[])
    (NOT_YET.test(one.id) ? it.skip : it)(`${one.id}: ${one.about}`, async () => {
      const faults = await runCase(at, FOLDER, one);
      // An empty list is an expectation that holds.
      if (!faults.some((list) => list.length === 0)) expect(faults).to.deep.equal([[]]);
    });
});
