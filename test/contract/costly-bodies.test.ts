import { EVENT_FIELDS } from '@sluice/contract/event/event-fields';
import { type ParsedAction, parseActionText } from '@sluice/contract/event/parse-action';
import { expect } from 'chai';

/** Processor time that blocks an ingress. Each body takes about 45 ms at most. Without a bound, marks take 10 to 20 s. */
const WITHIN_MS = 1000;

const MARKS = `a${'\u0315'.repeat(60_000)}${'\u0300'.repeat(60_000)}`;
const upsert = (event: object) =>
  JSON.stringify({ action: 'upsert', event: { title: 'Yoga', starts_at: '2030-01-01T10:00:00Z', ...event } });

describe('contract: a body that is expensive by design', () => {
  const parse = (text: string): ParsedAction => {
    const before = process.cpuUsage();
    const parsed = parseActionText(text);
    expect(process.cpuUsage(before).user / 1000).to.be.below(WITHIN_MS);
    return parsed;
  };

  for (const field of ['title', 'location'] as const)
    it(`by 120,000 marks to be put in order in its ${field} is rejected as fast as any other long text`, () => {
      const parsed = parse(upsert({ [field]: MARKS }));
      expect(parsed)
        .to.have.property('errors')
        .that.deep.equals([
          {
            pointer: `/event/${field}`,
            detail: `Longer than ${EVENT_FIELDS[field].max} characters. Shorten it.`,
          },
        ]);
    });

  it('by a quarter of a million brackets is rejected as fast as any other invalid JSON', () => {
    const parsed = parse('['.repeat(250_000));
    expect(parsed).to.have.property('detail').that.includes('behind line 1, column 10001');
  });
});

describe('contract: a title that is too long only before NFC', () => {
  const MAX = EVENT_FIELDS.title.max;
  for (const [name, decomposed, composed] of [
    ['a letter and a mark', 'e\u0301', '\u00e9'],
    ['a letter and three marks', '\u03b1\u0313\u0300\u0345', '\u1f82'],
    ['three parts of a syllable', '\u1112\u1161\u11ab', '\ud55c'],
    ['two vowel signs', '\u09c7\u09be', '\u09cb'],
    ['two characters beyond the first plane', '\u{11099}\u{110ba}', '\u{1109a}'],
  ] as const)
    it(`is accepted with characters of ${name}, and rejected with one more`, () => {
      const taken = parseActionText(upsert({ title: `  ${decomposed.repeat(MAX)} ` }));
      expect(taken).to.have.nested.property('action.identity.title', composed.repeat(MAX));
      expect(parseActionText(upsert({ title: decomposed.repeat(MAX + 1) }))).to.have.property('errors');
    });
});
