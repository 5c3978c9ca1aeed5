import { columnNames, freeColumns, guessLeadMapping, toLeadRow } from '@sluice/import/read/lead-mapping';
import { typedFields } from '@sluice/leads/import/read-lead-row';
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

  it('makes the name of its parts, unless a column has the whole name or another field takes one', () => {
    const lead = (columns: string[], cells: string[], custom: number[] = []) =>
      toLeadRow(columns, { ...guessLeadMapping(columns), custom }, { row: 2, cells }).lead;
    expect(lead(['Last Name', 'First Name'], ['Sample', 'Camille'])).to.deep.equal({
      name: 'Camille Sample',
    });
    expect(lead(['Vorname', 'Nachname'], ['', 'Muster'])).to.deep.equal({ name: 'Muster' });
    expect(lead(['Name', 'First Name'], ['Camille Sample', 'Camille'])).to.deep.equal({
      name: 'Camille Sample',
    });
    expect(lead(['First Name', 'Last Name'], ['Camille', 'Sample'], [1])).to.deep.equal({
      ...{ name: 'Camille', fields: { 'Last Name': 'Sample' } },
    });
  });

  it('keeps a text with a leading zero as a text, also in a field of numbers', () => {
    const numbers = { custom_fields: ['zip', 'size'].map((name) => ({ name, type: 'number' })) };
    expect(typedFields({ zip: '01067', size: '0.5' }, numbers as never)).to.deep.equal({
      ...{ zip: '01067', size: 0.5 },
    });
  });
});
