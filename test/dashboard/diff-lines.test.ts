import { expect } from 'chai';
import fc from 'fast-check';
import { type DiffLine, diffLines } from '../../services/dashboard/src/pages/drawer/diff-lines.ts';

const textOf = (lines: readonly DiffLine[], without: DiffLine['kind']) =>
  lines.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join('\n');

/** "-" marks a line that is gone, "+" a new one. */
const short = (lines: readonly DiffLine[] | null) =>
  lines?.map(({ kind, text }) => ({ same: ' ', gone: '-', new: '+' })[kind] + text);

describe('dashboard: comparing texts line by line', () => {
  it('shows a changed line as removed, then as new, in its place', () => {
    expect(short(diffLines('{\n "a": 1,\n "b": 2\n}', '{\n "a": 1,\n "b": 3\n}'))).to.deep.equal([
      ' {',
      '  "a": 1,',
      '- "b": 2',
      '+ "b": 3',
      ' }',
    ]);
  });

  it('shows all lines of the same texts as the same, and compares empty ones', () => {
    expect(short(diffLines('a\nb', 'a\nb'))).to.deep.equal([' a', ' b']);
    expect(short(diffLines('', ''))).to.deep.equal([' ']);
    expect(short(diffLines('', 'a'))).to.deep.equal(['-', '+a']);
    expect(short(diffLines('a\n\nb', 'a\nb'))).to.deep.equal([' a', '-', ' b']);
  });

  it('contains both texts, and marks as few lines as possible', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, now) => {
        const lines = diffLines(before.join('\n'), now.join('\n'));
        if (lines === null) throw new Error('a short text is compared');
        expect(textOf(lines, 'new')).to.equal(before.join('\n'));
        expect(textOf(lines, 'gone')).to.equal(now.join('\n'));
        expect(lines.filter(({ kind }) => kind === 'same')).to.have.length(commonLines(before, now));
      }),
      { numRuns: 2000 },
    );
  });

  it('gives up on texts that are too long, and soon on those that differ too much', () => {
    const lines = (count: number, word: string) =>
      Array.from({ length: count }, (_, index) => `${word} ${index}`).join('\n');
    expect(diffLines(lines(2100, 'a'), lines(2100, 'a'))).to.equal(null);
    expect(diffLines(lines(1001, 'a'), lines(1001, 'b'))).to.equal(null);
    expect(diffLines(lines(1000, 'a'), lines(1000, 'b'))).to.have.length(2000);
    expect(diffLines(lines(2000, 'a'), `${lines(2000, 'a')}b`)).to.have.length(2001);
  });
});

/** The length of the longest common subsequence, tried out. */
function commonLines([one, ...rest]: readonly string[], other: readonly string[]): number {
  if (one === undefined) return 0;
  const at = other.indexOf(one);
  const without = commonLines(rest, other);
  return at === -1 ? without : Math.max(without, 1 + commonLines(rest, other.slice(at + 1)));
}
