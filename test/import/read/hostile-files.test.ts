import { guessMapping } from '@sluice/import/read/mapping';
import { readFile } from '@sluice/import/read/read-file';
import { readRow } from '@sluice/import/read/read-row';
import { rowSettings } from '@sluice/import/read/row-settings';
import { expect } from 'chai';

/** CPU time. Each of these files takes minutes if it is read in quadratic time. */
const WITHIN_MS = 15_000;
const MB = 1024 * 1024;

const cells = 'title,starts_at,start time,ends_at,note\n';
const blanks = ' '.repeat(100_000);

describe('importing: a file that is made to freeze the import', () => {
  for (const [what, name, text] of [
    ['events that only begin', 'a.ics', 'BEGIN:VEVENT\n'.repeat((2 * MB) / 13)],
    ['open quotes', 'a.csv', cells + '"a\n'.repeat(MB / 9)],
    ['line ends', 'a.csv', `${cells}${'\n'.repeat(MB)}x`],
    ['blanks behind a start', 'a.csv', `${cells}x,"1/1/2027${blanks}a\nb",,,`],
    ['blanks behind the time of an end', 'a.csv', `${cells}x,1/1/2027,10:00,10:30${blanks}x,`],
    ['blanks that no spreadsheet shows', 'a.csv', `${cells}x,1/1/2027,,,${'\u200b'.repeat(100_000)}x`],
  ] as const)
    it(`costs seconds at most: ${what}`, async () => {
      const bytes = new TextEncoder().encode(text);
      const before = process.cpuUsage();
      const read = await readFile({ name, bytes });
      if (read.outcome === 'read') {
        const settings = rowSettings(read.table, guessMapping(read.table), 'UTC');
        for (const row of read.table.rows) readRow(row, settings);
      }
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).to.be.below(WITHIN_MS);
    });
});
