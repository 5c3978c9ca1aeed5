import { EVENT_FIELDS, type FieldDeclaration, forEachField } from '@sluice/contract/event/event-fields';
import { readBySchema } from '@sluice/contract/event/parse-action';
import { readPlainAction } from '@sluice/contract/event/read-plain-action';
import { expect } from 'chai';
import fc from 'fast-check';

const datetime = fc.oneof(
  {
    arbitrary: fc
      .date({ min: new Date('2000'), max: new Date('2100'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    weight: 6,
  },
  fc.constantFrom('2027-01-01T10:00+01:00', '2027-01-01T10:00', '2027-02-30T10:00Z', ''),
);
const text = fc.oneof(
  { arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), weight: 20 },
  fc.constantFrom(
    '',
    ' ',
    ' Cafe\u0301 ',
    '\ud800',
    'x'.repeat(100),
    'x'.repeat(101),
    'x'.repeat(501),
    '🎉'.repeat(300),
    '\u0344'.repeat(300),
  ),
);
const url = fc.oneof(
  { arbitrary: fc.webUrl(), weight: 12 },
  text,
  fc.constantFrom(...[1999, 2000, 2001].map((length) => 'http://a.b/'.padEnd(length, 'x'))),
  fc.constantFrom('http://', 'HTTPS://A.b', 'ftp://a.b', 'http://[::1]/', ' http://a.b'),
  fc.stringMatching(/^https?:\/\/[a-z0-9.-]{1,12}(\/[a-z%.]{0,5})?$/),
  fc.constantFrom('http://xn--a.b', 'http://1.2.3.256', 'http://1.2.3.x', 'http://a..b', 'http://a.0x1'),
);
const anything = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 30 }, { arbitrary: fc.jsonValue(), weight: 1 });
const usualValue = (field: FieldDeclaration): fc.Arbitrary<unknown> => {
  switch (field.type) {
    case 'instant':
      return datetime;
    case 'text':
      return text;
    case 'url':
      return url;
    case 'choice':
      return fc.constantFrom(...field.values, '', 'hourly');
  }
};
const event = fc.record(
  {
    ...forEachField((name) => anything(usualValue(EVENT_FIELDS[name]))),
    replaces: anything(text),
    unknown: fc.jsonValue(),
  },
  { requiredKeys: ['title', 'starts_at'] },
);
const request = fc.record({
  action: anything(fc.constantFrom('upsert', 'cancel', 'delete')),
  event: anything(event),
});

describe('contract: reading plain actions without the schema', () => {
  it('has the same result as the schema, or leaves the value to it', () => {
    const plain = { with: 0, without: 0 };
    fc.assert(
      fc.property(anything(request), fc.boolean(), (value, externalIds) => {
        const action = readPlainAction(value, externalIds);
        if (action === undefined) return;
        plain[action.external_id === undefined ? 'without' : 'with'] += 1;
        expect(readBySchema(value, externalIds)).to.deep.equal({ outcome: 'valid', action });
      }),
      { numRuns: 2000 },
    );
    expect(plain.with).to.be.above(50);
    expect(plain.without).to.be.above(50);
  });

  it('leaves a long url to the schema, which rejects it', () => {
    const withUrl = (length: number) => ({
      action: 'upsert',
      event: { title: 'a', starts_at: '2027-01-01T10:00Z', url: 'https://a.example/'.padEnd(length, 'x') },
    });
    expect(readPlainAction(withUrl(2000))?.kind).to.equal('upsert');
    expect(readPlainAction(withUrl(2001))).to.equal(undefined);
    expect(readBySchema(withUrl(2000)).outcome).to.equal('valid');
    expect(readBySchema(withUrl(2001))).to.deep.include({
      outcome: 'validation_failed',
      errors: [{ pointer: '/event/url', detail: 'Longer than 2000 characters. Shorten it.' }],
    });
  });

  it('reads the usual requests of senders', () => {
    const full = {
      title: 'Größe',
      starts_at: '2027-01-01T10:00+01:00',
      ends_at: '2027-01-01T11:00+01:00',
      location: 'Ghent',
      description: 'x',
      url: 'https://example.com/a?b=c',
      price: 'Free',
      recurring: 'weekly',
      status: 'upcoming',
    };
    for (const action of ['upsert', 'cancel', 'delete']) {
      expect(readPlainAction({ action, event: full })?.kind).to.equal(action);
      expect(
        readPlainAction({ action, event: { title: 'a', starts_at: '2027-01-01T10:00Z' } })?.kind,
      ).to.equal(action);
    }
  });
});
