import type { DeliveryItem } from '@sluice/contract/dashboard/deliveries';
import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { useInstallation } from './support/installation.ts';

describe('api: events, on a running installation', () => {
  const at = useInstallation();

  it('events are searched, cancelled and deleted, each with its history', async () => {
    const source = await at.addSource();
    await at.sendTo(
      source,
      upsertBody({ title: 'Jazz night', starts_at: '2030-05-01T20:00:00Z', location: 'Main Hall' }),
    );
    await at.sendTo(source, upsertBody({ title: 'Old one', starts_at: '2020-05-01T20:00:00Z' }));
    await at.logged(source, 2);
    const find = async (query: string) =>
      (await at.owner.call('get', `/events?source_id=${source.id}&${query}`)).body.items;
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
    expect(await titles('include_deleted=true&q=jazz')).to.deep.equal(['Jazz night']);
    expectProblem(await at.owner.call('delete', `/events/${event_id}`), 'not_found');
  });
});
