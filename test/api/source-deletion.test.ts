import type { EventItem } from '@sluice/dashboard-api/events';
import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { type Source, useInstallation } from './support/installation.ts';

describe('api: the deletion of a source', () => {
  const at = useInstallation();

  const events = async (source: Source, query = ''): Promise<EventItem[]> =>
    (await at.owner.read(`/events?source_id=${source.id}${query}`)).items;
  /** A source with one event for each title. */
  const withEvents = async (...titles: string[]) => {
    const source = await at.addSource();
    for (const title of titles) expect((await at.sendTo(source, titled(title))).status).to.equal(200);
    await at.logged(source, titles.length);
    return source;
  };
  const remove = async (source: Source, what: 'keep' | 'delete') => {
    const answer = await at.owner.call('post', `/sources/${source.id}/delete`, { events: what });
    expect(answer.status, answer.text).to.equal(204);
  };
  const listed = async () =>
    (await at.owner.read('/sources')).items.map(({ source_id }: { source_id: string }) => source_id);

  it('lets the next request get the response of an unknown source, and keeps events and log', async () => {
    const source = await withEvents('Kept');
    expect((await at.owner.read(`/sources/${source.id}/deletion`)).events).to.deep.equal({
      count: 1,
      more: false,
    });
    await remove(source, 'keep');
    const [late, never] = [
      await at.sendTo(source, titled('Late')),
      await at.sendTo({ ...source, url: `${source.url.slice(0, -3)}xyz` }, titled('Never')),
    ];
    expect([late.status, late.body.code, late.body.detail]).to.deep.equal([
      404,
      never.body.code,
      never.body.detail,
    ]);
    expect(await listed()).to.not.include(source.id);
    expectProblem(await at.owner.call('get', `/sources/${source.id}`), 'not_found');
    const [kept] = await events(source);
    expect(kept).to.include({ title: 'Kept', source_name: 'Booking', source_deleted: true });
    const rows = await at.list(source);
    expect(rows.map(({ title }) => title)).to.deep.equal(['Kept']);
    expect((await at.owner.read(`/deliveries/${rows[0]?.delivery_id}`)).delivery.title).to.equal('Kept');
    const again = await at.owner.call('post', `/deliveries/${rows[0]?.delivery_id}/reprocess`);
    expectProblem(again, 'conflict');
  });

  it('lets an admin cancel, delete and restore an event that was kept', async () => {
    const source = await withEvents('Kept');
    await remove(source, 'keep');
    const [kept] = await events(source);
    for (const [act, expected] of [
      ['cancel', { status: 'cancelled' }],
      ['delete', { status: null }],
      ['restore', { status: 'upcoming' }],
    ] as const) {
      const path = act === 'delete' ? '' : `/${act}`;
      const method = act === 'delete' ? 'delete' : 'post';
      const answer = await at.owner.call(method, `/events/${kept?.event_id}${path}`);
      expect(answer.status, answer.text).to.equal(202);
      const isDone = async () =>
        (await events(source, '&include_deleted=true'))[0]?.status === expected.status;
      await until(isDone, { what: `the event after ${act}` });
    }
  });

  it('deletes the events without a rate limit if that is chosen, and does not restore them', async () => {
    const source = await withEvents('One', 'Two', 'Three');
    await at.owner.call('patch', `/sources/${source.id}`, { rate_per_second: 1, rate_burst: 1 });
    await remove(source, 'delete');
    await until(async () => (await events(source)).length === 0, { what: 'no event' });
    const [gone] = await events(source, '&include_deleted=true');
    expectProblem(await at.owner.call('post', `/events/${gone?.event_id}/restore`), 'conflict');
    const rows = await at.logged(source, 6);
    expect(rows.map(({ outcome }) => outcome)).to.have.members([
      ...['created', 'created', 'created'],
      ...['deleted', 'deleted', 'deleted'],
    ]);
  });
});

const titled = (title: string) => {
  const body = upsertBody();
  return { ...body, event: { ...body.event, title } };
};
