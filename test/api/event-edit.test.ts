import type { AuditItem } from '@sluice/dashboard-api/audit';
import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import type { EventItem } from '@sluice/dashboard-api/events';
import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { useInstallation } from './support/installation.ts';

const JAZZ = { title: 'Jazz night', starts_at: '2030-05-01T20:00:00Z', location: 'Main Hall' };

describe('api: editing an event', () => {
  const at = useInstallation();

  const stored = async () => {
    const source = await at.addSource();
    await at.sendTo(source, upsertBody({ ...JAZZ, price: '10 EUR', url: 'https://example.com' }));
    await at.logged(source, 1);
    const events = async (query = ''): Promise<EventItem[]> =>
      (await at.owner.read(`/events?source_id=${source.id}${query}`)).items;
    return { source, events, event: (await events())[0] as EventItem };
  };
  const edit = (event: EventItem, fields: object, who = at.owner) =>
    who.call('put', `/events/${event.event_id}`, { seen: event.updated_at, event: fields });

  it('replaces the content as an upsert does, with audit and history', async () => {
    const { source, events, event } = await stored();
    const answer = await edit(event, { ...JAZZ, price: '12 EUR', status: 'cancelled' });
    expect(answer.status, answer.text).to.equal(202);
    expect(answer.body.event_id).to.equal(event.event_id);
    await until(async () => (await events())[0]?.price === '12 EUR');
    expect((await events())[0]).to.include({ status: 'cancelled', url: null, location: 'Main Hall' });
    await at.logged(source, 2);
    const { history } = await at.owner.read(`/events/${event.event_id}`);
    expect(history.map((row: DeliveryItem) => [row.outcome, row.origin])).to.deep.equal([
      ['updated', 'dashboard'],
      ['created', 'webhook'],
    ]);
    const { items } = (await at.owner.read('/audit?action=event.changed')) as { items: AuditItem[] };
    expect(items[0]).to.deep.include({
      target: { id: event.event_id, name: 'Jazz night' },
      detail: 'url, price, status',
    });
    // A later request of the source wins.
    await at.sendTo(source, upsertBody({ ...JAZZ, price: '14 EUR' }));
    await until(async () => (await events())[0]?.price === '14 EUR');
  });

  it('moves an event whose title, start or location is changed: the old one is deleted', async () => {
    const { events, event } = await stored();
    const answer = await edit(event, { ...JAZZ, title: 'Blues night', price: '10 EUR' });
    expect(answer.status, answer.text).to.equal(202);
    expect(answer.body.event_id).to.not.equal(event.event_id);
    const titles = async () => (await events()).map(({ title }) => title);
    await until(async () => JSON.stringify(await titles()) === '["Blues night"]');
    expect((await events())[0]).to.include({ event_id: answer.body.event_id, price: '10 EUR' });
    const { items } = (await at.owner.read('/audit?action=event.changed')) as { items: AuditItem[] };
    expect(items[0]?.detail).to.equal('was “Jazz night” at 2030-05-01T20:00:00.000Z');
  });

  it('renames and moves an event with an external_id, which stays that event through all that a user does', async () => {
    const source = await at.addSource();
    await at.sendTo(source, upsertBody({ ...JAZZ, external_id: 'booking-1' }));
    await at.logged(source, 1);
    const find = async () => {
      const { items } = await at.owner.read(`/events?source_id=${source.id}&include_deleted=true`);
      expect(items.map(({ external_id }: EventItem) => external_id)).to.deep.equal(['booking-1']);
      return items[0] as EventItem;
    };
    const event = await find();
    const moved = { ...JAZZ, title: 'Blues night', starts_at: '2030-06-01T20:00:00Z', external_id: 'other' };
    const answer = await edit(event, moved);
    expect(answer.body.event_id).to.equal(event.event_id);
    await until(async () => (await find()).title === 'Blues night');
    const { items } = (await at.owner.read('/audit?action=event.changed')) as { items: AuditItem[] };
    expect(items[0]?.detail).to.equal('title, starts_at');
    for (const [deed, status] of [
      ['cancel', 'cancelled'],
      ['restore', 'upcoming'],
      ['delete', null],
      ['restore', 'upcoming'],
    ] as const) {
      const path = `/events/${event.event_id}`;
      const done = await (deed === 'delete'
        ? at.owner.call('delete', path)
        : at.owner.call('post', `${path}/${deed}`));
      expect(done.status, done.text).to.equal(202);
      await until(async () => (await find()).status === status);
    }
  });

  it('writes nothing over a change that the user has not seen, and nothing over another event', async () => {
    const { source, events, event } = await stored();
    await at.sendTo(source, upsertBody({ ...JAZZ, title: 'Taken' }));
    await at.logged(source, 2);
    expectProblem(await edit(event, { ...JAZZ, title: 'Taken' }), 'conflict');
    await at.sendTo(source, upsertBody({ ...JAZZ, price: '14 EUR' }));
    await until(async () => (await events()).some(({ price }) => price === '14 EUR'));
    expectProblem(await edit(event, { ...JAZZ, price: '12 EUR' }), 'conflict');
    expect((await events()).map(({ price }) => price)).to.have.members([null, '14 EUR']);
  });

  it('rejects the second of two edits of one state, while the first waits for a worker', async () => {
    const { source, events, event } = await stored();
    const { eventSearch } = at.api.store;
    const { findEvent } = eventSearch;
    const before = await findEvent(event.event_id);
    try {
      eventSearch.findEvent = async () => before;
      expect((await edit(event, { ...JAZZ, price: '12 EUR' })).status).to.equal(202);
      expectProblem(await edit(event, { ...JAZZ, price: '14 EUR' }), 'conflict');
      expectProblem(await edit(event, { ...JAZZ, title: 'Blues night' }), 'conflict');
    } finally {
      eventSearch.findEvent = findEvent;
    }
    await at.logged(source, 2);
    const [now, ...more] = await events();
    expect([now?.price, more]).to.deep.equal(['12 EUR', []]);
    expect((await edit(now as EventItem, { ...JAZZ, price: '14 EUR' })).status).to.equal(202);
  });

  it('keeps the end of a series that a calendar has given', async () => {
    const source = await at.addSource();
    const rows = [
      {
        row: 2,
        event: { ...JAZZ, recurring: 'weekly' },
        recurs_until: '2031-05-01T20:00:00Z',
      },
    ];
    const done = await at.owner.call('post', '/events/import', {
      ...{ source_id: source.id, import_id: 'req_0000000000000000000001', file_name: 'a.ics', rows },
      format: 'ical',
    });
    expect(done.status, done.text).to.equal(202);
    await at.logged(source, 1);
    const find = async () => (await at.owner.read(`/events?source_id=${source.id}`)).items[0] as EventItem;
    const event = await find();
    expect(event.recurs_until, 'imported').to.be.a('string');
    await edit(event, { ...JAZZ, recurring: 'weekly', price: 'Free' });
    await until(async () => (await find()).price === 'Free');
    expect((await find()).recurs_until).to.equal(event.recurs_until);
    await edit(await find(), { ...JAZZ, recurring: 'monthly' });
    await until(async () => (await find()).recurring === 'monthly');
    expect((await find()).recurs_until).to.equal(null);
  });
});
