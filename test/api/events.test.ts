import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import type { DeliveryChange } from '@sluice/dashboard-api/event-changes';
import type { EventPage } from '@sluice/dashboard-api/events';
import { PRESETS } from '@sluice/signature/presets/presets';
import type { Sender } from '@sluice/signature/sender/sender';
import { signAs } from '@sluice/signature/sender/sign-as';
import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { post } from '../support/post.ts';
import { upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { type Source, useInstallation } from './support/installation.ts';

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

  describe('of a source with a mapping', () => {
    const MAPPING = {
      rules: [
        {
          when: [],
          do: 'upsert',
          event: { title: { at: '/name' }, starts_at: { at: '/at' }, price: { at: '/fee' } },
        },
      ],
    };
    let source: Source;
    let path: string;
    const map = (mapping: object) => at.owner.call('put', `/sources/${source.id}/mapping`, { mapping });
    const send = async (fee: string) => {
      const body = Buffer.from(JSON.stringify({ name: 'Yoga', at: '2030-01-01T10:00:00Z', fee }));
      const wanted = { secret: source.secret, body, id: fee, nowMs: Date.now() };
      const headers = { 'content-type': 'application/json', ...signAs(PRESETS.token.verify, wanted) };
      expect(await post(source.url, { body, headers })).to.include({ status: 200 });
    };
    const changes = async (): Promise<DeliveryChange[]> => (await at.owner.read(`${path}/changes`)).items;
    before(async () => {
      const { body } = await at.owner.call('post', '/sources', { name: 'Studio', sender: 'token' });
      const { source_id: id } = body.source;
      const url = `${at.pipeline.urls[0]}/api/v1/events/webhook/${id}`;
      source = { id, secret: body.signing_secret, url };
      expect((await map(MAPPING)).status).to.equal(200);
      await send('5 €');
      await at.logged(source, 1);
      await send('6 €');
      const [row] = await at.logged(source, 2);
      path = `/events/${row?.event_id}`;
    });

    it('have a history of what the mapping made of each body', async () => {
      const [second, first] = await changes();
      expect(second).to.deep.include({ did: 'updated', unknown: null });
      expect(second?.fields).to.deep.equal([{ field: 'price', before: '5 €', after: '6 €' }]);
      expect(first).to.deep.include({ did: 'created', unknown: null });
    });

    it('are restored with that content', async () => {
      expect((await at.owner.call('delete', path)).status).to.equal(202);
      await at.logged(source, 3);
      expect((await at.owner.read(path)).restores_from).to.include({ is_latest: true });
      expect((await at.owner.call('post', `${path}/restore`)).status).to.equal(202);
      await at.logged(source, 4);
      expect((await at.owner.read(path)).event).to.include({ price: '6 €', deleted_at: null });
    });

    it('are not read by a mapping that did not make them', async () => {
      await map({ rules: [...MAPPING.rules, { when: [], do: 'ignore' }] });
      expect((await changes()).at(-1)).to.deep.include({ fields: [], unknown: 'body_not_kept' });
    });

    it('are shown with their deliveries if only a newer version knows the mapping', async () => {
      const stored = await at.api.store.sources.findSource(source.id);
      const sender = {
        ...(stored?.sender as Sender),
        mapping: '{"rules":[{"do":"what a newer version does"}]}',
      };
      await at.api.store.sources.changeSource(source.id, { sender });
      const row = (await at.list(source)).at(-1);
      const detail = await at.owner.read(`/deliveries/${row?.delivery_id}`);
      expect(detail.not_reprocessable).to.equal('not_an_action');
      expect(await changes()).to.have.length(4);
    });
  });
});
