import { readCsv } from '@sluice/import/read/read-csv';
import { expect } from 'chai';
import { badRowsCsv } from '../../services/dashboard/src/pages/import/bad-rows.ts';

describe('dashboard: the file of bad rows', () => {
  it('stores formulas as text, and an import reads the original cells', async () => {
    const cells = ['=1+1', 'x;"=1+1;y', '\t@SUM(A1)', 'a\n- b\n- c', "'-80s night", "It's 5-6 pm", ' ＝1'];
    const table = {
      fileName: 'spring.csv',
      format: 'csv',
      columns: ['=title', ...cells.slice(1).map((_, n) => `column ${n}`)],
      rows: [{ row: 2, cells }],
    } as const;
    const text = await badRowsCsv(table, [{ row: 2, column: '=title', why: 'is empty' }]);
    for (const formula of [/(^|[,;])"?=/m, /"=1/, /,"?\t@/, /^- /m]) expect(text).not.to.match(formula);

    const read = await readCsv('bad-rows.csv', new TextEncoder().encode(text));
    if (read.outcome === 'refused') throw new Error(read.why);
    expect(read.table.columns[0]).to.equal('=title');
    expect(read.table.rows[0]?.cells.slice(0, cells.length)).to.deep.equal(cells);
  });
});
