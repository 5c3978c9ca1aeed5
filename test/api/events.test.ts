import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import type { DeliveryChange } from '@sluice/dashboard-api/event-changes';
import type { EventDetail, EventPage } from '@sluice/dashboard-api/events';
import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { useInstallation } from './support/installation.ts';

describe('api: events, on a running installation', () => {
  const at = useInstallation();

  it('events can be searched, cancelled and deleted, and each has a history', async () => {
    const source = await at.addSource();
    await at.sendTo(
      source,
      upsertBody({ title: 'Jazz night', starts_at: '2030-05-01T20:00:00Z', location: 'Main Hall' }),
    );
    await at.sendTo(source, upsertBody({ title: 'Old one', starts_at: '2020-05-01T20:00:00Z' }));
    await at.logged(source, 2);
    const find = async (query: string) =>
      (await at.owner.read(`/events?source_id=${source.id}&${query}`)).items;
    const titles = async (query: string) => (await find(query)).map(({ title }: { title: string }) => title);
    expect(await titles('when=upcoming')).to.deep.equal(['Jazz night']);
    expect(await titles('when=past')).to.deep.equal(['Old one']);
    expect(await titles('origin=webhook')).to.have.length(2);
    expect(await titles('origin=csv')).to.deep.equal([]);
    expect(await titles('q=main')).to.deep.equal(['Jazz night']);
    expect(await titles('')).to.deep.equal(['Old one', 'Jazz night']);
    const [{ event_id }] = await find('q=jazz');
    expectProblem(await at.stranger.call('get', `/events/${event_id}`), 'not_found');
    expectProblem(await at.stranger.call('delete', `/events/${event_id}`), 'not_found');
    expect((await at.owner.call('post', `/events/${event_id}/cancel`)).status).to.equal(202);
    await until(async () => (await find('q=jazz'))[0].status === 'cancelled');
    expect((await at.owner.call('delete', `/events/${event_id}`)).status).to.equal(202);
    await until(async () => (await find('q=jazz')).length === 0);
    // The log is written after the event.
    await at.logged(source, 4);
    const { body } = await at.owner.call('get', `/events/${event_id}`);
    expect(body.event.deleted_at).to.be.a('string');
    expect(body.history.map((row: DeliveryItem) => [row.outcome, row.origin])).to.deep.equal([
      ['deleted', 'dashboard'],
      ['cancelled', 'dashboard'],
      ['created', 'webhook'],
    ]);
    const changes = (await at.owner.read(`/events/${event_id}/changes`)).items;
    expect(changes.map(({ delivery_id }: DeliveryChange) => delivery_id)).to.deep.equal(
      body.history.map(({ delivery_id }: DeliveryItem) => delivery_id),
    );
    expect(changes.map(({ did, fields }: DeliveryChange) => [did, fields[0]])).to.deep.equal([
      ['deleted', { field: 'status', before: 'cancelled', after: null }],
      ['cancelled', { field: 'status', before: 'upcoming', after: 'cancelled' }],
      ['created', { field: 'status', before: null, after: 'upcoming' }],
    ]);
    expect(await titles('include_deleted=true&q=jazz')).to.deep.equal(['Jazz night']);
    expectProblem(await at.owner.call('delete', `/events/${event_id}`), 'not_found');
  });

  it('the latest hundred changes of an event are listed, the oldest compared with one that is not listed', async () => {
    const source = await at.addSource();
    const event = { title: 'Often changed', starts_at: '2030-05-01T20:00:00Z' };
    await at.sendTo(source, upsertBody({ ...event, price: 'of long ago' }));
    await at.sendTo(source, { action: 'cancel', event });
    for (let i = 0; i < 100; i++) await at.sendTo(source, upsertBody({ ...event, price: `${i} EUR` }));
    await at.logged(source, 102);
    const [{ event_id }] = (await at.owner.read(`/events?source_id=${source.id}`)).items;
    const changes: DeliveryChange[] = (await at.owner.read(`/events/${event_id}/changes`)).items;
    expect(changes).to.have.length(100);
    // The cancel before it does not contain the price. The upsert that does is not listed.
    expect(changes.at(-1)).to.deep.include({ did: 'updated', unknown: 'before_not_listed' });
    expect(changes.at(-2)).to.deep.include({
      did: 'updated',
      fields: [{ field: 'price', before: '0 EUR', after: '1 EUR' }],
      unknown: null,
    });
  });

  it('pages contain each event once, upcoming ones earliest first, past ones latest first', async () => {
    const source = await at.addSource();
    const [past, soon, later] = ['2020-01-01T10:00:00Z', '2090-01-01T10:00:00Z', '2091-01-01T10:00:00Z'];
    // More events start at the same instant than fit on a page.
    const starts = [past, '2019-01-01T10:00:00Z', soon, soon, soon, soon, later];
    for (const [n, starts_at] of starts.entries())
      await at.sendTo(source, upsertBody({ title: `Event ${n}`, starts_at }));
    await at.logged(source, starts.length);
    const read = async (query: string): Promise<EventPage> =>
      await at.owner.read(`/events?source_id=${source.id}&${query}`);
    const titles = async (query: string) => {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null && seen.length <= starts.length) {
        const page: EventPage = await read(`limit=3&${query}${cursor && `&cursor=${cursor}`}`);
        seen.push(...page.items.map(({ title }) => title));
        cursor = page.next_cursor;
      }
      return seen;
    };
    const upcoming = await titles('when=upcoming');
    expect(upcoming).to.have.members(['Event 2', 'Event 3', 'Event 4', 'Event 5', 'Event 6']);
    expect(upcoming).to.have.length(5);
    expect(upcoming.at(-1)).to.equal('Event 6');
    expect(await titles('when=past')).to.deep.equal(['Event 0', 'Event 1']);
    expect(await titles(`when=upcoming&from=${later}`)).to.deep.equal(['Event 6']);
    expect(await titles(`when=upcoming&from=${past}`)).to.have.length(5);
    expect(await titles(`when=past&to=${past}`)).to.deep.equal(['Event 1']);
    expect(await titles(`when=past&to=${later}`)).to.have.length(2);
  });

  it('changes of an import are known until newer ones, although imports store no bodies', async () => {
    const source = await at.addSource();
    const starts_at = '2030-06-01T20:00:00Z';
    await at.sendTo(source, upsertBody({ title: 'Fair', starts_at, location: '', price: 'Free' }));
    await at.logged(source, 1);
    const event = { title: 'Fair', starts_at, price: '5 EUR' };
    const rows = { import_id: 'import_1', file_name: 'a.csv', rows: [{ row: 2, event }] };
    const imported = await at.owner.call('post', '/events/import', { source_id: source.id, ...rows });
    expect(imported.status, imported.text).to.equal(202);
    const [{ event_id }] = (await at.logged(source, 2)) as [DeliveryItem];
    const changes = async (): Promise<DeliveryChange[]> =>
      (await at.owner.read(`/events/${event_id}/changes`)).items;
    const price = { field: 'price', before: 'Free', after: '5 EUR' };
    const [known] = await changes();
    expect(known).to.deep.include({ did: 'updated', unknown: null });
    expect(known?.fields).to.deep.include(price);
    await at.sendTo(source, upsertBody({ title: 'Fair', starts_at, location: '', price: '7 EUR' }));
    await at.logged(source, 3);
    const [later, unknown] = await changes();
    expect(later).to.deep.include({ did: 'updated', unknown: 'body_before_not_kept' });
    expect(later?.fields).to.deep.include({ field: 'price', after: '7 EUR' });
    expect(unknown).to.deep.include({ did: 'updated', fields: [], unknown: 'body_not_kept' });
  });

  it('restores the last content of a deleted event, although the sender repeated an older request later', async () => {
    const source = await at.addSource();
    const event = { title: 'Sent again', starts_at: '2030-05-01T20:00:00Z' };
    const first = signed({ secret: source.secret, body: upsertBody({ ...event, price: 'first' }) });
    await post(source.url, first);
    await at.sendTo(source, upsertBody({ ...event, price: 'second' }));
    await at.logged(source, 2);
    await post(source.url, first);
    const [repeat] = await at.logged(source, 3);
    expect(repeat?.outcome).to.equal('duplicate');
    const [{ event_id }] = (await at.owner.read(`/events?source_id=${source.id}`)).items;
    await at.owner.call('delete', `/events/${event_id}`);
    await at.logged(source, 4);
    const { restores_from, history }: EventDetail = await at.owner.read(`/events/${event_id}`);
    expect(restores_from).to.deep.include({ delivery_id: history[2]?.delivery_id, is_latest: true });
    expect((await at.owner.call('post', `/events/${event_id}/restore`)).status).to.equal(202);
    await at.logged(source, 5);
    const restored: EventDetail = await at.owner.read(`/events/${event_id}`);
    expect(restored.event).to.include({ price: 'second', deleted_at: null });
    expect(restored.restores_from).to.equal(null);
  });

  it('says before it restores an event that a later edit in the dashboard is lost', async () => {
    const source = await at.addSource();
    const fields = { title: 'Edited', starts_at: '2030-05-01T20:00:00Z', location: 'Hall' };
    await at.sendTo(source, upsertBody({ ...fields, price: 'sent' }));
    const [sent] = await at.logged(source, 1);
    const [event] = (await at.owner.read(`/events?source_id=${source.id}`)).items;
    const edit = { seen: event.updated_at, event: { ...fields, price: 'edited' } };
    expect((await at.owner.call('put', `/events/${event.event_id}`, edit)).status).to.equal(202);
    await at.logged(source, 2);
    await at.owner.call('delete', `/events/${event.event_id}`);
    await at.logged(source, 3);
    const { restores_from }: EventDetail = await at.owner.read(`/events/${event.event_id}`);
    expect(restores_from).to.deep.equal({
      delivery_id: sent?.delivery_id,
      received_at: sent?.received_at,
      is_latest: false,
    });
  });

  it('restores a cancelled event, and a deleted one with its last stored content', async () => {
    const source = await at.addSource();
    await at.sendTo(source, upsertBody({ title: 'Back again', price: '5 €' }));
    await at.logged(source, 1);
    const { body: list } = await at.owner.call('get', `/events?source_id=${source.id}`);
    const path = `/events/${list.items[0].event_id}`;
    for (const [index, act] of [
      () => at.owner.call('post', `${path}/cancel`),
      () => at.owner.call('delete', path),
    ].entries()) {
      expect((await act()).status).to.equal(202);
      await at.logged(source, 2 + 2 * index);
      const restored = await at.owner.call('post', `${path}/restore`);
      expect(restored.status, restored.text).to.equal(202);
      await at.logged(source, 3 + 2 * index);
      const { body } = await at.owner.call('get', path);
      expect(body.event).to.include({ status: 'upcoming', price: '5 €', deleted_at: null });
    }
  });
});
