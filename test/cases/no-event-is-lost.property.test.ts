import { decodeCalendar } from '@sluice/import/calendar/decode-calendar';
import { readCalendar } from '@sluice/import/calendar/read-calendar';
import { expect } from 'chai';
import fc from 'fast-check';
import { sized } from '../support/size.ts';
import { calendars } from './support/corpus.ts';

const FILES = calendars();
/** Bytes that slips of programs and people insert: of the grammar, of other charsets, and of line ends. */
const INSERTED = [...' \t\r\n=:;,"\\'].map((one) => one.charCodeAt(0)).concat(0xfc, 0xc3, 0xe2, 0x00);

const slip = fc.record({
  kind: fc.constantFrom('drop', 'repeat', 'move', 'cut', 'insert', 'erase', 'truncate', 'join', 'ends'),
  /** Two places, as parts of the file. */
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  to: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  other: fc.constantFrom(...FILES),
  byte: fc.constantFrom(...INSERTED),
  end: fc.constantFrom('\r\n', '\n', '\r', '\r\r\n', '\n\n'),
});
type Slip = typeof slip extends fc.Arbitrary<infer T> ? T : never;

/** Latin-1 keeps each byte as one character. */
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

function damaged(text: string, { kind, at, to, other, byte, end }: Slip): string {
  const lines = text.split(/(?<=\n)/);
  const [line, target] = [Math.floor(at * lines.length), Math.floor(to * lines.length)];
  const place = Math.floor(at * text.length);
  switch (kind) {
    case 'drop':
      return lines.toSpliced(line, 1).join('');
    case 'repeat':
      return lines.toSpliced(line, 0, lines[line] ?? '').join('');
    case 'move':
      return lines
        .toSpliced(line, 1)
        .toSpliced(target, 0, lines[line] ?? '')
        .join('');
    case 'cut':
      return lines.with(line, (lines[line] ?? '').slice(0, Math.floor(to * 20))).join('');
    case 'insert':
      return text.slice(0, place) + String.fromCharCode(byte) + text.slice(place);
    case 'erase':
      return text.slice(0, place) + text.slice(place + 1 + Math.floor(to * 10));
    case 'truncate':
      return text.slice(0, place);
    case 'join':
      return text + textOf(other.bytes);
    case 'ends':
      return text.replace(/\r?\n/g, end);
    default:
      throw new Error(kind);
  }
}

/** The lines that begin an event, counted in another way than the reader does. */
function begun(text: string): number {
  const lines = text.replace(/^\uFEFF/, '').split(text.includes('\n') ? /\r*\n/ : '\r');
  return lines.filter((line) => /^BEGIN:VEVENT\s*$/i.test(line)).length;
}

describe('a calendar with slips', () => {
  it('keeps every BEGIN:VEVENT as an event, a bad row with its line, or a day that is left out', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FILES),
        fc.array(slip, { minLength: 1, maxLength: 8 }),
        ({ bytes }, slips) => {
          const file = Buffer.from(slips.reduce(damaged, textOf(bytes)), 'latin1');
          const { text } = decodeCalendar(file);
          const result = readCalendar(text);
          if (result.outcome === 'refused') {
            expect(begun(text), result.detail).to.equal(0);
            return;
          }
          const all = [...result.rows, ...result.leftOut];
          expect(all.length).to.be.at.least(begun(text));
          for (const { action, errors, event } of all) {
            if (errors.length === 0 && action === 'upsert') expect(event.starts_at).to.be.a('string');
            for (const { line, detail } of errors) {
              expect(line).to.be.within(1, text.split(/\r|\n/).length);
              expect(detail).not.to.equal('');
            }
          }
        },
      ),
      { numRuns: sized({ short: 1000, middle: 4000 }) },
    );
  });
});
