import { eventId } from '@sluice/contract/event-id';
import { parseAction } from '@sluice/contract/parse-action';
import { expect } from 'chai';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const upsert = (event: Record<string, unknown>) =>
  parseAction(
    bytes({ action: 'upsert', event: { title: 'Yoga', starts_at: '2027-01-01T10:00Z', ...event } }),
  );

function action(event: Record<string, unknown>) {
  const parsed = upsert(event);
  if (parsed.outcome !== 'valid') throw new Error(JSON.stringify(parsed));
  return parsed.action;
}

/** The one pointer that is complained about, with its message. */
function complaint(event: Record<string, unknown>) {
  const parsed = upsert(event);
  if (parsed.outcome !== 'validation_failed')
    throw new Error(`expected a complaint about ${JSON.stringify(event)}`);
  expect(parsed.errors).to.have.length(1);
  return parsed.errors[0] as { pointer: string; detail: string };
}

describe('contract: actions', () => {
  it('cancel and delete carry only what identifies the event', () => {
    for (const kind of ['cancel', 'delete']) {
      const parsed = parseAction(
        bytes({
          action: kind,
          event: { title: 'Yoga', starts_at: '2027-01-01T10:00Z', location: 'Ghent', price: '5' },
        }),
      );
      expect(parsed).to.deep.equal({
        outcome: 'valid',
        action: { kind, identity: { title: 'Yoga', starts_at: Date.UTC(2027, 0, 1, 10), location: 'Ghent' } },
      });
    }
  });

  it('identifies an event by trimmed NFC text and by the instant, not by how they were written', () => {
    const one = action({
      title: ' Cafe\u0301 ',
      starts_at: '2027-01-01T11:00+01:00',
      location: ' Ghent\n',
    }).identity;
    const two = action({ title: 'Café', starts_at: '2027-01-01T10:00:00.000Z', location: 'Ghent' }).identity;
    expect(eventId('src_1', one)).to.equal(eventId('src_1', two));
    expect(eventId('src_1', { ...two, title: 'café' })).to.not.equal(eventId('src_1', two));
    expect(eventId('src_2', two)).to.not.equal(eventId('src_1', two));
    expect(action({ location: '' }).identity).to.deep.equal(action({}).identity);
  });

  it('the parts of an identity cannot run into each other', () => {
    const at = { starts_at: 0 };
    expect(eventId('s', { ...at, title: 'a","b', location: '' })).to.not.equal(
      eventId('s', { ...at, title: 'a', location: '","b' }),
    );
  });

  it('empty optional strings count as absent, and the status defaults to upcoming', () => {
    const empty = {
      ends_at: '',
      description: '',
      location: '',
      url: '',
      price: '',
      recurring: '',
      status: '',
    };
    expect(action(empty)).to.deep.equal(action({}));
    expect(action({})).to.deep.include({ kind: 'upsert', content: {}, status: 'upcoming' });
  });

  it('ignores fields that it does not know, whatever they are called', () => {
    const parsed = parseAction(
      Buffer.from(
        '{"action":"upsert","__proto__":{"x":1},"$set":{},"event":{"title":"Yoga","starts_at":"2027-01-01T10:00Z","constructor":1,"a.b":[]}}',
      ),
    );
    expect(parsed).to.deep.equal(upsert({}));
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });

  const long = (length: number) => 'x'.repeat(length);
  for (const [field, wrong] of [
    ['title', ''],
    ['title', ' \t '],
    ['title', long(501)],
    ['title', 7],
    ['title', null],
    ['title', ['Yoga']],
    ['starts_at', ''],
    ['starts_at', '2027-01-01'],
    ['starts_at', 1_796_144_400],
    ['starts_at', null],
    ['ends_at', '2026-12-31T10:00Z'],
    ['ends_at', 'later'],
    ['description', long(10_001)],
    ['description', false],
    ['location', long(501)],
    ['location', {}],
    ['url', 'example.com'],
    ['url', 'javascript:alert(1)'],
    ['url', 'ftp://example.com'],
    ['price', long(101)],
    ['price', 12.5],
    ['recurring', 'hourly'],
    ['recurring', 'Daily'],
    ['status', 'done'],
    ['status', null],
    ['title', '\ud800'],
  ] as const) {
    it(`refuses ${field}: ${JSON.stringify(wrong).slice(0, 30)}, pointing at it and saying what to do`, () => {
      const { pointer, detail } = complaint({ [field]: wrong });
      expect(pointer).to.equal(`/event/${field}`);
      expect(detail).to.have.length.above(10);
    });
  }

  for (const [field, right] of [
    ['title', long(500)],
    ['title', `  ${long(500)}  `],
    ['title', '🎉'.repeat(500)],
    ['location', long(500)],
    ['description', long(10_000)],
    ['price', long(100)],
    ['url', 'http://example.com'],
    ['url', 'HTTPS://EXAMPLE.com/ä?b#c'],
    ['recurring', 'yearly'],
    ['status', 'cancelled'],
    ['ends_at', '2027-01-01T10:00Z'],
  ] as const) {
    it(`accepts ${field}: ${JSON.stringify(right).slice(0, 30)}`, () => {
      expect(upsert({ [field]: right }).outcome).to.equal('valid');
    });
  }

  it('names every wrong field at once', () => {
    const parsed = parseAction(bytes({ action: 'replace', event: { title: 5, url: 'x' } }));
    if (parsed.outcome !== 'validation_failed') throw new Error(parsed.outcome);
    expect(parsed.errors.map((error) => error.pointer)).to.deep.equal([
      '/action',
      '/event/title',
      '/event/starts_at',
      '/event/url',
    ]);
  });

  it('says where the JSON goes wrong, without repeating the body', () => {
    const parsed = parseAction(Buffer.from('{\n  "action": secret\n}'));
    expect(parsed).to.deep.equal({
      outcome: 'malformed_json',
      detail: 'The body is not valid JSON (line 2, column 13). Correct it there.',
    });
  });

  it('refuses what is not UTF-8', () => {
    expect(parseAction(Buffer.from([0x7b, 0xff])).outcome).to.equal('malformed_json');
  });
});
