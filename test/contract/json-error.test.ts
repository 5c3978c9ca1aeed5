import { locateJsonError } from '@sluice/contract/text/json-error';
import { expect } from 'chai';
import fc from 'fast-check';

describe('contract: the place of a JSON error', () => {
  for (const [text, where] of [
    ['', 'it is empty'],
    ['  ', 'it is empty'],
    ['{"a":1', 'line 1, column 7'],
    ['{"a":1,}', 'line 1, column 8'],
    ['{"a" 1}', 'line 1, column 6'],
    ["{'a':1}", 'line 1, column 2'],
    ['[1,2', 'line 1, column 5'],
    ['[1 2]', 'line 1, column 4'],
    ['{\n  "a": secret\n}', 'line 2, column 8'],
    ['{}{}', 'line 1, column 3'],
    ['{"a":01}', 'line 1, column 7'],
    ['"\\x"', 'line 1, column 1'],
    ['nul', 'line 1, column 1'],
    ['[1}', 'line 1, column 3'],
    ['[1,]', 'line 1, column 4'],
    ['[,1]', 'line 1, column 2'],
    ['[{]', 'line 1, column 3'],
    ['[[1],[2]}', 'line 1, column 9'],
    ['{1:2}', 'line 1, column 2'],
    ['{"a"}', 'line 1, column 5'],
    ['{"a":}', 'line 1, column 6'],
    ['{"a":1,"b"', 'line 1, column 11'],
    ['{"a":1 "b":2}', 'line 1, column 8'],
    ['{"a":{"b":1}]', 'line 1, column 13'],
    ['{"a":"\\u00g0"}', 'line 1, column 6'],
    ['[1.]', 'line 1, column 3'],
  ] as const) {
    it(`${JSON.stringify(text)}: ${where}`, () => {
      expect(locateJsonError(text)).to.equal(where);
    });
  }

  it('is searched within the first ten thousand tokens only', () => {
    expect(locateJsonError(`[${'1,'.repeat(4_998)}1]}`), 'the last that is looked at').to.equal(
      'line 1, column 10000',
    );
    expect(locateJsonError(`[${'1,'.repeat(6_000)}`)).to.equal('behind line 1, column 10001');
  });

  it('is exactly the place of an inserted error, at any depth', () => {
    const pretty = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value, null, 1).split('\n'));
    fc.assert(
      fc.property(pretty, fc.nat(), fc.constantFrom('@', ':', "'"), (lines, place, wrong) => {
        const at = place % lines.length;
        const text = lines.with(at, wrong + lines[at]).join('\n');
        expect(locateJsonError(text)).to.equal(`line ${at + 1}, column 1`);
        expect(locateJsonError(`${lines.join('\n')}\n ${wrong}`)).to.equal(
          `line ${lines.length + 1}, column 2`,
        );
      }),
    );
  });

  it('is inside every text that Node rejects', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', ':', 'x', '1', '{'))
      .map(([json, at, extra]) => {
        const cut = at % (json.length + 1);
        return json.slice(0, cut) + extra + json.slice(cut + 1);
      });
    fc.assert(
      fc.property(broken, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        fc.pre(!valid && text.trim() !== '' && !text.includes('\n'));
        const column = Number(/column (\d+)/.exec(locateJsonError(text))?.[1]);
        expect(column).to.be.within(1, text.length + 1);
      }),
      { numRuns: 2000 },
    );
  });
});
