import { fromSpreadsheetText, spreadsheetText } from '@sluice/contract/text/spreadsheet-text';
import { expect } from 'chai';
import fc from 'fast-check';
import { cpuMs } from '../support/cpu-time.ts';

/** Texts of separators, starts of formulas, and characters that spreadsheets skip. */
const texts = fc
  .array(fc.constantFrom(...'=+-@＝＋－＠;\t\r\n\0\'"', ' ', '\u00a0', '\u200b', '\u001b', 'a', '1', ','))
  .map((parts) => parts.join(''));

/** Reads a line as a spreadsheet with this `separator` does: a quote counts only at the start of a cell. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    let cell = '';
    if (line[at] === '"') {
      for (at += 1; at < line.length; at += 1) {
        if (line[at] !== '"') cell += line[at];
        else if (line[at + 1] === '"') cell += line[at++];
        else break;
      }
      at += 1;
    }
    const end = [...line].findIndex((character, n) => n >= at && `${separator}\r\n`.includes(character));
    cell += line.slice(at, end < 0 ? undefined : end);
    cells.push(cell);
    at = end < 0 ? line.length + 1 : end + 1;
  }
  return cells;
}

const isFormula = (cell: string) => /^[=+\-@＝＋－＠]/u.test(cell.replace(/^[\p{Cc}\p{Cf}\p{Zs}]+/u, ''));
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe('contract: cells for spreadsheets', () => {
  it('begin no formula, with any separator and at any place in a line', () => {
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('', 'id,'),
        (text, separator, head) => {
          const line = `${head}${quoted(spreadsheetText(text))}`;
          expect(cellsOf(line, separator).filter(isFormula), JSON.stringify(line)).to.deep.equal([]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('begin no formula after a semicolon and a quote', () => {
    expect(spreadsheetText('x;"=1+1;y')).to.equal(`x;"'=1+1;y`);
    expect(spreadsheetText(' =1+1')).to.equal(" '=1+1");
    expect(spreadsheetText('\0=1+1')).to.equal("\0'=1+1");
  });

  it('have the same text when read from a file', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(fromSpreadsheetText(spreadsheetText(text))).to.equal(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('without a formula are unchanged in both directions', () => {
    for (const text of ["It's 5-6 pm", "'s-Hertogenbosch", "Rock 'n' roll; 3-4 pm", '"@home" tour', "'"]) {
      expect(spreadsheetText(text)).to.equal(text);
      expect(fromSpreadsheetText(text)).to.equal(text);
    }
  });

  it('are made and read in linear time, from a long run of each character that counts', function () {
    this.timeout(60_000);
    // In quadratic time such a text takes seconds.
    const enough = 100;
    const all = Array.from({ length: 0xe1000 }, (_, code) => code).filter((code) => code >> 11 !== 0x1b);
    const counting = all.map((code) => String.fromCodePoint(code)).filter((one) => COUNTING.test(one));
    expect(counting).to.have.length.above(200);
    for (const one of [...counting, '\n"', ";'", ' \t'])
      for (const text of [`${one.repeat(30_000)}x`, `x${one.repeat(30_000)}`])
        for (const work of [spreadsheetText, fromSpreadsheetText])
          expect(
            cpuMs(() => work(text), enough),
            JSON.stringify(one),
          ).to.be.below(enough);
  });
});

const COUNTING = /[\p{Cc}\p{Cf}\p{Zs};"'=+\-@＝＋－＠]/u;
