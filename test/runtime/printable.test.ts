import { printable, printableLines, withoutUnseen } from '@sluice/runtime/telemetry/printable';
import { expect } from 'chai';
import fc from 'fast-check';

const ACTED_ON = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'\u001b\u009b\u007f\u202e\u2066\u2028\0\r\n\t'),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((parts) => parts.join(''));

describe('runtime: texts for a terminal', () => {
  it('contain no character that a terminal acts on', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(printable(text)).not.to.match(ACTED_ON);
        expect(withoutUnseen(text)).not.to.match(ACTED_ON);
        expect(printableLines(text).replaceAll(/[\n\t]/g, '')).not.to.match(ACTED_ON);
      }),
    );
  });

  it('keep the meaning of JSON', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(JSON.parse(printable(JSON.stringify({ text })))).to.deep.equal({ text });
      }),
    );
  });

  it('show the escaped characters', () => {
    expect(printable('a\u001b[2J\u009b\u202e\nb')).to.equal('a\\u001b[2J\\u009b\\u202e\\nb');
    expect(printableLines('a\r\n\tb')).to.equal('a\\r\n\tb');
    expect(printable('Zürich, 東京 🎷')).to.equal('Zürich, 東京 🎷');
  });
});
