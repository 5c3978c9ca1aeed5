import { setPlan } from '@sluice/accounts/account/set-plan';
import type { EventItem } from '@sluice/dashboard-api/events';
import type { ImportRow } from '@sluice/dashboard-api/imports';
import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { type Source, useInstallation } from './support/installation.ts';

const STARTS = '2030-05-01T20:00:00Z';

describe('api: undoing an import, on a running installation', () => {
  const at = useInstallation();

  const sendKnown = (source: Source, event: object) =>
    at.sendTo(source, upsertBody({ starts_at: STARTS, ...event }));
  const importRows = (source: Source, import_id: string, events: readonly ImportRow['event'][], first = 2) =>
    at.owner.call('post', '/events/import', {
      source_id: source.id,
      import_id,
      file_name: 'spring.csv',
      rows: events.map((event, index) => ({ row: index + first, event: { starts_at: STARTS, ...event } })),
    });
  const check = (source: Source, import_id: string) =>
    at.owner.call('post', '/events/import/undo/check', { source_id: source.id, import_id });
  const undo = (source: Source, import_id: string) =>
    at.owner.call('post', '/events/import/undo', { source_id: source.id, import_id });
  const eventsOf = async (source: Source): Promise<string[]> => {
    const { body } = await at.owner.call('get', `/events?source_id=${source.id}`);
    return (body.items as EventItem[])
      .map(({ title, price, status, origin }) => `${title} ${price} ${status} ${origin}`)
      .sort();
  };

  it('deletes new events, restores updated ones, and lists but keeps those changed since', async () => {
    const source = await at.addSource();
    await sendKnown(source, { title: 'Known', price: 'old', status: 'cancelled' });
    await sendKnown(source, { title: 'Touched', price: 'old' });
    await importRows(source, 'import_a', [{ title: 'Earlier', price: 'a' }]);
    await at.logged(source, 3);
    await importRows(source, 'import_b', [
      { title: 'Known', price: 'b' },
      { title: 'Touched', price: 'b' },
      { title: 'Earlier', price: 'b' },
      { title: 'Fresh', price: 'b' },
      { title: 'Fresh', price: 'c' },
    ]);
    await at.logged(source, 8);
    await sendKnown(source, { title: 'Touched', price: 'new' });
    await at.logged(source, 9);

    const expected = { deleted: 1, restored: 2, left: 1, untouched: 0 };
    const checked = await check(source, 'import_b');
    expect(checked.body).to.deep.include(expected);
    expect(checked.body.left_events[0]).to.deep.include({ title: 'Touched' });
    expect(await eventsOf(source), 'a check changes nothing').to.include('Known b upcoming csv');

    const undone = await undo(source, 'import_b');
    expect(undone.status).to.equal(202);
    expect(undone.body).to.deep.include({ ...expected, refused: 0 });
    const log = await at.logged(source, 12);
    expect(
      log.slice(0, 3).map(({ title, outcome, origin }) => `${title} ${outcome} ${origin}`),
    ).to.have.members(['Known updated dashboard', 'Earlier updated dashboard', 'Fresh deleted dashboard']);
    expect(await eventsOf(source)).to.deep.equal([
      'Earlier a upcoming csv',
      'Known old cancelled webhook',
      'Touched new upcoming webhook',
    ]);
    const { body } = await at.owner.call('get', '/audit?action=events.import_undone');
    expect(body.items[0].detail).to.equal('spring.csv: 1 deleted, 2 restored, 1 unchanged');
  });

  it('shows the last import until it is undone; a second undo is rejected', async () => {
    const source = await at.addSource();
    await importRows(source, 'import_1', [{ title: 'One' }]);
    await importRows(source, 'import_1', [{ title: 'Two' }, { title: 'Bad', url: 'ftp://x' }], 3);
    await at.logged(source, 2);
    const last = async () => (await at.owner.read('/events/import/last')).import;
    expect(await last()).to.deep.include({
      source_id: source.id,
      import_id: 'import_1',
      file_name: 'spring.csv',
      imported_by: at.owner.me.user.email,
      events: 2,
      undone_at: null,
    });
    expect((await undo(source, 'import_1')).body).to.deep.include({ deleted: 2, untouched: 0 });
    await at.logged(source, 4);
    expect((await last()).undone_at).to.be.a('string');
    const again = await undo(source, 'import_1');
    expectProblem(again, 'conflict');
    expect(again.body.detail).to.equal('This import was already undone.');
    expect(await at.list(source)).to.have.length(4);
  });

  it('is complete only once rows that were not applied yet are undone too', async () => {
    const source = await at.addSource();
    await importRows(source, 'import_w', [{ title: 'Applied' }, { title: 'Waiting' }]);
    await at.logged(source, 2);
    const { events } = at.api.store;
    const { loadPortion } = events;
    events.loadPortion = async (ids) => {
      events.loadPortion = loadPortion;
      const { events: stored, unread } = await loadPortion(ids);
      const applied = [...stored].filter(([, { identity }]) => identity.title !== 'Waiting');
      return { events: new Map(applied), unread };
    };
    expect((await undo(source, 'import_w')).body).to.deep.include({ deleted: 1, untouched: 1 });
    await at.logged(source, 3);
    const last = async () => (await at.owner.read('/events/import/last')).import;
    expect((await last()).undone_at).to.equal(null);
    expect((await undo(source, 'import_w')).body).to.deep.include({ deleted: 1 });
    expect((await last()).undone_at).to.be.a('string');
  });

  it('is rejected with the reason if nothing can be undone, and for another account', async () => {
    const source = await at.addSource();
    await importRows(source, 'import_1', [{ title: 'One' }]);
    await at.logged(source, 1);
    await sendKnown(source, { title: 'One', price: 'new' });
    await at.logged(source, 2);
    const answer = await undo(source, 'import_1');
    expectProblem(answer, 'conflict');
    expect(answer.body.detail).to.match(/its events were changed since/);
    const body = { source_id: source.id, import_id: 'import_1' };
    expectProblem(await at.stranger.call('post', '/events/import/undo', body), 'not_found');
    expect(await at.stranger.read('/events/import/last')).to.deep.equal({ import: null });
  });

  it('keeps and counts events for which the plan has no upserts left; a later undo completes it', async () => {
    const { stranger, api } = at;
    const { body } = await stranger.call('post', '/sources', { name: 'Small' });
    const source_id = body.source.source_id as string;
    const row = (row: number, title: string, price: string) => ({
      row,
      event: { title, starts_at: STARTS, price },
    });
    const rows = (price: string) => [row(2, 'One', price), row(3, `Only in ${price}`, price)];
    const find = async (price: string) => {
      const found = await stranger.call('get', `/events?source_id=${source_id}`);
      return (found.body.items as EventItem[]).filter((event) => event.price === price).length;
    };
    for (const import_id of ['import_1', 'import_2', 'import_3']) {
      const sent = { source_id, import_id, file_name: 'a.csv', rows: rows(import_id) };
      await stranger.call('post', '/events/import', sent);
      await until(async () => (await find(import_id)) === 2);
    }
    const undoThird = () =>
      stranger.call('post', '/events/import/undo', { source_id, import_id: 'import_3' });
    await setPlan(api.deps, stranger.me.account.account_id, 'free');
    expect((await undoThird()).body).to.deep.include({ deleted: 1, restored: 0, refused: 1 });
    await until(async () => (await find('import_3')) === 1);
    await setPlan(api.deps, stranger.me.account.account_id, 'unlimited');
    expect((await undoThird()).body).to.deep.include({ deleted: 0, restored: 1, untouched: 1 });
    expect((await stranger.read('/events/import/last')).import.undone_at).to.be.a('string');
  });
});
