import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { CASES } from './support/corpus.ts';
import { type Case, runCase } from './support/run-case.ts';
import { useImport } from './support/use-import.ts';

const FOLDER = CASES;
const LIST = `${FOLDER}cases.json`;

/** Said once, since a test that does not run would otherwise go unnoticed. */
if (!existsSync(LIST))
  process.stderr.write('The cases of ../shared/cases are not run: the folder is not beside this checkout.\n');
else
  describe('sluice import, by every case of ../shared/cases', () => {
    const at = useImport();
    const cases = JSON.parse(readFileSync(LIST, 'utf8')) as Case[];
    for (const one of cases)
      it(`${one.id}: ${one.about}`, async () => {
        const faults = await runCase(at, FOLDER, one);
        // An empty list is an expectation that holds.
        if (!faults.some((list) => list.length === 0)) expect(faults).to.deep.equal([[]]);
      });
  });
