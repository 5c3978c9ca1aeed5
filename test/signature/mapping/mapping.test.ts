import { type Mapped, mapBody } from '@sluice/signature/mapping/map-body';
import { type MappingInput, readMapping } from '@sluice/signature/mapping/mapping';
import { expect } from 'chai';
import fc from 'fast-check';
import { sized } from '../../support/size.ts';

function mapped(input: MappingInput, body: unknown, headers: Readonly<Record<string, string>> = {}): Mapped {
  const read = readMapping(input);
  if (read.outcome === 'invalid') throw new Error(JSON.stringify(read.errors));
  return mapBody(read.mapping, body, (name) => headers[name]);
}

/** A made-up booking platform. */
const BOOKING: MappingInput = {
  zone: { at: '/data/zone', or: 'Europe/Berlin' },
  rules: [
    { when: [{ at: '/type', eq: 'test' }], do: 'ignore' },
    {
      when: [{ at: '/type', in: ['booked', 'moved'] }],
      do: 'upsert',
      event: {
        title: { at: '/data/name' },
        starts_at: { at: '/data/start' },
        ends_at: { at: '/data/start', plus_minutes: 90 },
        location: { any: [{ at: '/data/room' }, { at: '/data/link' }, { const: 'Online' }] },
        url: { at: '/data/link' },
        price: { join: [{ at: '/data/price' }, ' EUR'] },
        description: { find: { in: '/data/answers', where: { at: '/ref', eq: 'topic' }, at: '/text' } },
        status: { at: '/data/state', values: { off: 'cancelled', on: 'upcoming' } },
      },
    },
    {
      when: [
        { header: 'X-Topic', starts_with: 'booking/' },
        { at: '/gone', exists: true },
      ],
      do: 'cancel',
      event: { title: { at: '/data/name' }, starts_at: { at: '/data/start' }, location: { const: 'Hall' } },
    },
  ],
};
const DATA = {
  name: 'Yoga',
  start: '2026-12-01T18:00:00',
  link: 'https://example.com/a',
  price: 12,
  state: 'on',
};

const eventOf = (result: Mapped) => {
  if (result.outcome !== 'action' || result.action.kind !== 'upsert') throw new Error(JSON.stringify(result));
  return { ...result.action.identity, ...result.action.content, status: result.action.status };
};

describe('a mapping', () => {
  it('makes an upsert of a foreign body', () => {
    const answers = [
      { ref: 'name', text: 'Ada' },
      { ref: 'topic', text: 'Breathing' },
    ];
    expect(eventOf(mapped(BOOKING, { type: 'booked', data: { ...DATA, answers } }))).to.deep.equal({
      title: 'Yoga',
      starts_at: Date.UTC(2026, 11, 1, 17),
      ends_at: Date.UTC(2026, 11, 1, 18, 30),
      location: 'https://example.com/a',
      url: 'https://example.com/a',
      price: '12 EUR',
      description: 'Breathing',
      status: 'upcoming',
    });
  });

  it('decides by the first rule whose conditions are all met', () => {
    expect(mapped(BOOKING, { type: 'test', data: DATA })).to.deep.equal({
      ...{ outcome: 'ignored', code: 'ignored_by_rule', rule: 0 },
    });
    expect(mapped(BOOKING, { type: 'other' })).to.deep.equal({ outcome: 'ignored', code: 'no_rule' });
    expect(mapped(BOOKING, { type: 'other', gone: 1, data: DATA })).to.include({ code: 'no_rule' });
    const cancelled = mapped(BOOKING, { gone: 1, data: DATA }, { 'x-topic': 'booking/off' });
    expect(cancelled).to.deep.include({ outcome: 'action', rule: 2, notes: [] });
    expect(cancelled).to.have.nested.property('action.kind', 'cancel');
  });

  const starts = (starts_at: object, body: object, zone = 'Europe/Berlin') => {
    const rules = [{ do: 'upsert' as const, event: { title: { const: 'x' }, starts_at } }];
    return new Date(eventOf(mapped({ zone: { const: zone }, rules }, body)).starts_at).toISOString();
  };

  for (const [what, time, body, expected] of [
    [
      'an offset, whatever the zone',
      { at: '/t' },
      { t: '2026-07-01T10:00:00-05:00' },
      '2026-07-01T15:00:00.000Z',
    ],
    ['the zone without an offset', { at: '/t' }, { t: '2026-07-01T10:00' }, '2026-07-01T08:00:00.000Z'],
    [
      'a time that the zone skips, forward',
      { at: '/t' },
      { t: '2026-03-29T02:30' },
      '2026-03-29T01:30:00.000Z',
    ],
    ['the first of a repeated time', { at: '/t' }, { t: '2026-10-25T02:30' }, '2026-10-25T00:30:00.000Z'],
    ['Unix seconds', { at: '/t', unit: 's' }, { t: 1_796_144_400 }, '2026-12-01T17:00:00.000Z'],
    ['Unix milliseconds', { at: '/t', unit: 'ms' }, { t: '1796144400000' }, '2026-12-01T17:00:00.000Z'],
    [
      'a date and a time from two fields',
      { date: { at: '/d' }, time: { const: '18:00' } },
      { d: '2026-12-01' },
      '2026-12-01T17:00:00.000Z',
    ],
  ] as const)
    it(`reads ${what}`, () => {
      expect(starts(time, body)).to.equal(expected);
    });

  it('takes the part before or after a literal, and nothing without it', () => {
    const title = (value: object) =>
      mapped(
        { rules: [{ do: 'upsert', event: { title: value, starts_at: { const: '2026-12-01T17:00Z' } } }] },
        { a: 'room/7/seat' },
      );
    expect(eventOf(title({ at: '/a', before: '/' })).title).to.equal('room');
    expect(eventOf(title({ at: '/a', after: 'room/' })).title).to.equal('7/seat');
    expect(eventOf(title({ at: '/a', after: 'x', or: 'Room' })).title).to.equal('Room');
    expect(title({ at: '/a', after: 'x' }).outcome).to.equal('failed');
  });

  it('reads external_id and replaces, which a cancel needs alone', () => {
    const external_id = { at: '/id' };
    const event = {
      external_id,
      title: { at: '/name' },
      starts_at: { at: '/start' },
      replaces: { at: '/old' },
    };
    const upsert: MappingInput = { rules: [{ do: 'upsert', event }] };
    const cancel: MappingInput = { rules: [{ do: 'cancel', event: { external_id } }] };
    const body = { id: 'A', old: 'B', ...DATA };
    expect(mapped(upsert, body)).to.have.nested.include({
      'action.external_id': 'A',
      'action.replaces': 'B',
    });
    expect(mapped(cancel, body)).to.have.nested.include({
      'action.kind': 'cancel',
      'action.external_id': 'A',
    });
    expect(mapped(cancel, {})).to.include({ outcome: 'failed' });
    expect(mapped(upsert, { ...body, id: 'x'.repeat(201) })).to.deep.include({
      ...{ outcome: 'failed', detail: 'external_id (/id): Longer than 200 characters. Shorten it.' },
    });
  });

  it('reads when an action with an external_id occurred, and omits a wrong time with a note', () => {
    const input = (id: object): MappingInput => ({
      occurred_at: { at: '/sent' },
      rules: [{ do: 'upsert', event: { ...id, title: { at: '/name' }, starts_at: { at: '/start' } } }],
    });
    const byId = input({ external_id: { const: 'A' } });
    expect(mapped(byId, { ...DATA, sent: '2026-11-01T10:00:00.500Z' })).to.have.nested.include({
      'action.occurred_at': Date.UTC(2026, 10, 1, 10, 0, 0, 500),
    });
    const wrong = mapped(byId, { ...DATA, sent: 'soon' });
    expect(wrong)
      .to.have.nested.property('notes[0]')
      .that.matches(/^occurred_at was omitted/);
    for (const without of [
      wrong,
      mapped(byId, DATA),
      mapped(input({}), { ...DATA, sent: '2026-11-01T10:00Z' }),
    ])
      expect(without).to.have.property('action').that.does.not.have.property('occurred_at');
  });

  it('omits wrong optional fields with a note, and keeps the event', () => {
    const result = mapped(BOOKING, { type: 'moved', data: { ...DATA, room: 'Hall', link: 'no link' } });
    expect(eventOf(result)).to.include({ title: 'Yoga', location: 'Hall' }).and.not.have.property('url');
    expect(result).to.have.property('notes').that.has.length(1);
    expect(result).to.have.nested.property('notes[0]').that.contains('url was omitted: Not an http');
  });

  it('fails by field and pointer if what identifies the event is missing or unreadable', () => {
    const failed = (data: object) => {
      const result = mapped(BOOKING, { type: 'booked', data });
      return result.outcome === 'failed' ? result.detail : result.outcome;
    };
    expect(failed({ ...DATA, name: undefined })).to.contain('title (/data/name): Required');
    expect(failed({ ...DATA, start: 'tomorrow' })).to.contain('starts_at (/data/start): "tomorrow"');
    expect(failed({ ...DATA, room: 'x'.repeat(501) })).to.contain('location: Longer than 500');
    expect(failed({ ...DATA, zone: 'Mars/Base' })).to.contain('zone: "Mars/Base"');
  });

  it('finds nothing that objects inherit, in pointers and in tables', () => {
    const rules = [
      {
        do: 'upsert' as const,
        event: { title: { at: '/t', values: { a: 'b' } }, starts_at: { at: '/constructor/name' } },
      },
    ];
    expect(mapped({ rules }, { t: 'toString' }).outcome).to.equal('failed');
  });

  it('never throws, whatever the body is', () => {
    const pointers = { depthSize: 'medium', maxDepth: 6 } as const;
    const known = fc.record({
      type: fc.constantFrom('booked', 'moved', 'test', 1, null),
      gone: fc.jsonValue(),
      data: fc.record(
        Object.fromEntries(
          ['name', 'start', 'zone', 'room', 'link', 'price', 'answers', 'state'].map((name) => [
            name,
            fc.jsonValue(pointers),
          ]),
        ),
      ),
    });
    fc.assert(
      fc.property(fc.oneof(known, fc.jsonValue(pointers)), (body) => {
        expect(mapped(BOOKING, body).outcome).to.be.oneOf(['action', 'ignored', 'failed']);
      }),
      { numRuns: sized({ short: 300, middle: 10_000 }) },
    );
  });

  it('reads 200 elements of a list, and no more', () => {
    const answers = (before: number) => [...Array<object>(before).fill({}), { ref: 'topic', text: 'Found' }];
    const found = (before: number) =>
      eventOf(mapped(BOOKING, { type: 'booked', data: { ...DATA, answers: answers(before) } }));
    expect(found(199)).to.have.property('description', 'Found');
    expect(found(200)).not.to.have.property('description');
  });
});
