import { columnNames, freeColumns, guessLeadMapping, toLeadRow } from '@sluice/import/read/lead-mapping';
import { expect } from 'chai';

describe('importing: rows of leads', () => {
  it('keeps each of several columns that have one name', () => {
    const columns = ['Email', 'Budget', ' Budget', 'Budget (2)', 'Budget', ''];
    expect(columnNames(columns)).to.deep.equal([
      ...['Email', 'Budget', 'Budget (3)', 'Budget (2)', 'Budget (4)', ''],
    ]);
    const guessed = guessLeadMapping(columns);
    const mapping = { ...guessed, custom: freeColumns(columns, guessed).map(({ index }) => index) };
    const cells = ['ada@example.com', '1', '2', '3', '4', '5'];
    expect(toLeadRow(columns, mapping, { row: 2, cells }).lead).to.deep.equal({
      email: 'ada@example.com',
      fields: { Budget: '1', 'Budget (3)': '2', 'Budget (2)': '3', 'Budget (4)': '4' },
    });
  });

  it('names a nameless column nothing, also if there are two', () => {
    expect(columnNames(['', ' ', 'A'])).to.deep.equal(['', '', 'A']);
  });
});
