import { eventId } from '@sluice/contract/event/event-id';
import { parseAction } from '@sluice/contract/event/parse-bytes';
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

/** The pointer and the message of the only error. */
function complaint(event: Record<string, unknown>) {
  const parsed = upsert(event);
  if (parsed.outcome !== 'validation_failed')
    throw new Error(`expected a complaint about ${JSON.stringify(event)}`);
  expect(parsed.errors).to.have.length(1);
  return parsed.errors[0] as { pointer: string; detail: string };
}

describe('contract: actions', () => {
  it('identifies an event by trimmed NFC text and by the instant, in any notation', () => {
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

  it('keeps the parts of an identity separate', () => {
    const at = { starts_at: 0 };
    expect(eventId('s', { ...at, title: 'a","b', location: '' })).to.not.equal(
      eventId('s', { ...at, title: 'a', location: '","b' }),
    );
  });

  for (const [name, absent] of [
    ['an empty string', ''],
    ['null', null],
  ] as const)
    it(`treats ${name} in an optional field as absent, with the default status upcoming`, () => {
      const fields = ['ends_at', 'description', 'location', 'url', 'price', 'recurring', 'status'];
      const empty = Object.fromEntries(fields.map((field) => [field, absent]));
      expect(action(empty)).to.deep.equal(action({}));
      for (const field of fields) expect(action({ [field]: absent }), field).to.deep.equal(action({}));
      expect(action({})).to.deep.include({ kind: 'upsert', content: {}, status: 'upcoming' });
    });

  it('ignores unknown fields of any name, and names those of the event', () => {
    const parsed = parseAction(
      Buffer.from(
        '{"action":"upsert","__proto__":{"x":1},"$set":{},"event":{"title":"Yoga","starts_at":"2027-01-01T10:00Z","constructor":1,"a.b":[]}}',
      ),
    );
    expect(parsed).to.deep.equal({ ...upsert({}), unread: ['constructor', 'a.b'] });
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });

  const long = (length: number) => 'x'.repeat(length);
  const TITLE = 'Example: "Open day"';
  const DATETIME = 'Example: 2026-12-01T18:00:00+01:00';
  const URL = 'Not an http or https URL. Example: "https://example.com/open-day"';
  for (const [field, wrong, told] of [
    ['title', undefined, `Required. ${TITLE}`],
    ['title', '', `Empty. ${TITLE}`],
    ['title', ' \t ', `Empty. ${TITLE}`],
    ['title', long(501), 'Longer than 500 characters. Shorten it.'],
    ['title', 7, `Must be a string, not a number. ${TITLE}`],
    ['title', null, `Must be a string, not null. ${TITLE}`],
    ['title', ['Yoga'], `Must be a string, not an array. ${TITLE}`],
    [
      'title',
      '\ud800',
      'Contains half of a surrogate pair, which is not a character. Send well-formed Unicode.',
    ],
    ['starts_at', '', DATETIME],
    ['starts_at', '2027-01-01', DATETIME],
    ['starts_at', 1_796_144_400, 'Must be a string, not a number. Example: "2026-12-01T18:00:00+01:00"'],
    ['starts_at', null, 'not null. Example: "2026-12-01T18:00:00+01:00"'],
    ['ends_at', '2027-01-01T09:59:59.999Z', 'Is before starts_at. Send the end of the event, or omit it.'],
    ['ends_at', 'later', `"later" is not an ISO 8601 datetime with a date and a time. ${DATETIME}`],
    ['description', long(10_001), 'Longer than 10000 characters. Shorten it.'],
    ['description', '🎉'.repeat(10_001), 'Longer than 10000 characters. Shorten it.'],
    ['description', false, 'Must be a string, not a boolean. Example: "A look behind the scenes"'],
    ['location', long(501), 'Longer than 500 characters. Shorten it.'],
    ['location', {}, 'Must be a string, not an object. Example: "Berlin"'],
    ['url', 5, 'Must be a string, not a number. Example: "https://example.com/open-day"'],
    ['url', 'example.com', URL],
    ['url', 'javascript:alert(1)', URL],
    ['url', 'javascript:alert(1)//http://example.com', URL],
    ['url', 'ftp://example.com', URL],
    ['url', 'http://example.com:99999', URL],
    ['url', 'http://example.com/\ud800', URL],
    ['url', `http://example.com/${long(1_982)}`, 'Longer than 2000 characters. Shorten it.'],
    ['url', long(2_001), 'Longer than 2000 characters. Shorten it.'],
    ['price', long(101), 'Longer than 100 characters. Shorten it.'],
    ['price', 12.5, 'Must be a string, not a number. Example: "Free"'],
    ['recurring', 'hourly', 'Not known. Send one of: daily, weekly, monthly, yearly.'],
    ['recurring', 'Daily', 'Not known. Send one of: daily, weekly, monthly, yearly.'],
    ['status', 'done', 'Not known. Send one of: upcoming, cancelled.'],
  ] as const) {
    it(`rejects ${field}: ${JSON.stringify(wrong)?.slice(0, 30)}, with a pointer and a correction`, () => {
      const { pointer, detail } = complaint({ [field]: wrong });
      expect(pointer).to.equal(`/event/${field}`);
      expect(detail).to.contain(told);
    });
  }

  for (const [field, right] of [
    ['title', long(500)],
    ['title', `  ${long(500)}  `],
    ['title', '🎉'.repeat(500)],
    ['title', 'ᾂ'.repeat(500).normalize('NFD')],
    ['location', long(500)],
    ['description', long(10_000)],
    ['description', '🎉'.repeat(10_000)],
    ['price', long(100)],
    ['url', 'http://example.com'],
    ['url', 'HTTPS://EXAMPLE.com/ä?b#c'],
    ['url', `http://example.com/${long(1_981)}`],
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

  for (const [value, pointer, told] of [
    [null, '', 'Must be an object, not null. Example: {"action":"upsert","event":{…}}'],
    [[], '', 'Must be an object, not an array.'],
    ['upsert', '', 'Must be an object, not a string.'],
    [
      { event: { title: 'Yoga', starts_at: '2027-01-01T10:00Z' } },
      '/action',
      'Required. Send one of: upsert',
    ],
    [{ action: 'upsert' }, '/event', 'Required. Example: {"title":"Open day",'],
    [{ action: 'upsert', event: [] }, '/event', 'Must be an object, not an array. Example: {"title":'],
  ] as const) {
    it(`rejects ${JSON.stringify(value)} and names the expected value`, () => {
      const parsed = parseAction(bytes(value));
      if (parsed.outcome !== 'validation_failed') throw new Error(parsed.outcome);
      expect(parsed.errors.map((error) => error.pointer)).to.deep.equal([pointer]);
      expect(parsed.errors[0]?.detail).to.contain(told);
    });
  }

  it('reads action and title of a rejected body for the delivery log', () => {
    const logged = (value: unknown) => {
      const parsed = parseAction(bytes(value));
      return parsed.outcome === 'validation_failed' ? [parsed.action, parsed.title] : parsed.outcome;
    };
    expect(logged({ action: 'cancel', event: { title: 'Yoga' } })).to.deep.equal(['cancel', 'Yoga']);
    expect(logged({ action: 'replace', event: { title: 'Yoga' } })).to.deep.equal([null, 'Yoga']);
    expect(logged({ action: 'upsert', event: { title: 7 } })).to.deep.equal(['upsert', null]);
    expect(logged({ action: 'upsert', event: null })).to.deep.equal(['upsert', null]);
    expect(logged('Yoga')).to.deep.equal([null, null]);
    expect(logged(null)).to.deep.equal([null, null]);
    const halves = `${long(499)}🎉${long(10)}`;
    expect(logged({ action: 'delete', event: { title: halves } }), 'cut, and well-formed').to.deep.equal([
      'delete',
      `${long(499)}\ufffd`,
    ]);
  });

  it('ignores a byte order mark before the JSON', () => {
    const body = bytes({ action: 'upsert', event: { title: 'Yoga', starts_at: '2027-01-01T10:00Z' } });
    expect(parseAction(Buffer.concat([Buffer.from('\uFEFF'), body]))).to.deep.equal(parseAction(body));
  });

  it('names the place of a JSON error without repeating the body', () => {
    const parsed = parseAction(Buffer.from('{\n  "action": secret\n}'));
    expect(parsed).to.deep.equal({
      outcome: 'malformed_json',
      detail: 'The body is not valid JSON (line 2, column 13). Correct it there.',
    });
  });

  it('rejects a body that is not UTF-8', () => {
    const body = bytes({ action: 'upsert', event: { title: 'Yoga', starts_at: '2027-01-01T10:00Z' } });
    body[body.indexOf('Yoga')] = 0xff;
    expect(parseAction(body)).to.deep.equal({
      outcome: 'malformed_json',
      detail: 'The body is not valid UTF-8. Send JSON encoded as UTF-8.',
    });
  });
});
