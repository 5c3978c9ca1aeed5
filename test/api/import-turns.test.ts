import type { ImportFormat } from '@sluice/contract/event/event-fields';
import type { EventItem } from '@sluice/dashboard-api/events';
import type { ImportRow, UidsFound } from '@sluice/dashboard-api/imports';
import { IMPORT_TURN_MS } from '@sluice/store/imports/import-turns';
import { expect } from 'chai';
import type { Person } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { type Source, useInstallation } from './support/installation.ts';

const UID = 'club@example.org';
const [MONDAY, TUESDAY, FRIDAY] = [6, 7, 10].map(
  (day) => `2030-05-${String(day).padStart(2, '0')}T20:00:00.000Z`,
);

const upsert = (starts_at = ''): ImportRow => ({
  row: 1,
  event: { title: 'Club', starts_at },
  calendar_id: { uid: UID, recurrence_id: '' },
});
const cancel = (starts_at = ''): ImportRow => ({
  row: 1,
  action: 'cancel',
  event: { title: 'Club', starts_at },
});

interface Part {
  readonly import_id: string;
  readonly rows: readonly ImportRow[];
  readonly format?: ImportFormat;
  readonly seen?: string;
}

/** The requests that a person imports a calendar with. */
function importer(person: () => Person, sourceId: string) {
  const find = () => person().call('post', '/events/import/uids', { source_id: sourceId, uids: [UID] });
  return {
    find,
    async seen(): Promise<string> {
      const found = await find();
      expect(found.status, found.text).to.equal(200);
      return (found.body as UidsFound).seen;
    },
    send: ({ format = 'ical', ...part }: Part) =>
      person().call('post', '/events/import', {
        ...{ source_id: sourceId, file_name: 'club.ics', format, ...part },
      }),
    undo: (import_id: string) =>
      person().call('post', '/events/import/undo', { source_id: sourceId, import_id }),
  };
}

describe('api: several imports of calendars into one source', () => {
  const at = useInstallation();
  const stored = async (source: Source): Promise<string[]> => {
    const { body } = await at.owner.call('get', `/events?source_id=${source.id}`);
    return (body.items as EventItem[]).map(({ starts_at, status }) => `${starts_at} ${status}`).sort();
  };
  const imported = async () => {
    const source = await at.addSource();
    const by = importer(() => at.owner, source.id);
    await by.send({ import_id: 'import_1', rows: [upsert(MONDAY)] });
    await at.logged(source, 1);
    return { source, by };
  };

  it('reject the second of two that were checked at the same time, so that no event is doubled', async () => {
    const { source, by } = await imported();
    const seen = await by.seen();
    const first = await by.send({ import_id: 'import_2', seen, rows: [cancel(MONDAY), upsert(TUESDAY)] });
    expect(first.body).to.deep.include({ accepted: 2 });
    const second = await by.send({ import_id: 'import_3', seen, rows: [cancel(MONDAY), upsert(FRIDAY)] });
    expectProblem(second, 'conflict');
    expect(second.body.detail).to.contain('Check it again.');
    await at.logged(source, 3);
    expect(await stored(source)).to.deep.equal([`${MONDAY} cancelled`, `${TUESDAY} upcoming`]);
    const again = { import_id: 'import_4', seen: await by.seen(), rows: [cancel(TUESDAY), upsert(FRIDAY)] };
    expect((await by.send(again)).body).to.deep.include({ accepted: 2 });
  });

  it('reject the rest of an import after another one began, and accept the rest of the other', async () => {
    const { source, by } = await imported();
    const seen = await by.seen();
    await by.send({ import_id: 'import_2', seen, rows: [upsert(TUESDAY)] });
    await at.logged(source, 2);
    const late = { import_id: 'import_3', seen: await by.seen(), rows: [upsert(TUESDAY)] };
    expect((await by.send(late)).body).to.deep.include({ accepted: 1 });
    expectProblem(await by.send({ import_id: 'import_2', seen, rows: [upsert(FRIDAY)] }), 'conflict');
    expect((await by.send({ ...late, rows: [upsert(FRIDAY)] })).body).to.deep.include({ accepted: 1 });
  });

  it('reject what was checked before an undo', async () => {
    const { by } = await imported();
    const seen = await by.seen();
    expect((await by.undo('import_1')).body).to.deep.include({ deleted: 1 });
    expectProblem(await by.send({ import_id: 'import_2', seen, rows: [upsert(FRIDAY)] }), 'conflict');
  });

  it('wait for a process that died in one, at most a minute, but never for themselves or for CSV files', async () => {
    const { source, by } = await imported();
    const { importTurns } = at.api.store;
    const now = Date.now();
    await importTurns.takeTurn(source.id, { import_id: 'import_2', at: now });
    const rows = [upsert(TUESDAY)];
    expectProblem(await by.find(), 'conflict');
    const other = await by.send({ import_id: 'import_3', rows });
    expectProblem(other, 'conflict');
    expect(other.body.detail).to.contain('Try again in a minute.');
    expectProblem(await by.undo('import_1'), 'conflict');
    const take = (at: number) => importTurns.takeTurn(source.id, { import_id: 'import_3', at });
    expect(await take(now + IMPORT_TURN_MS - 1)).to.equal('busy');
    expect(await take(now + IMPORT_TURN_MS)).to.equal('taken');
    await importTurns.takeTurn(source.id, { import_id: 'import_4', at: now + 2 * IMPORT_TURN_MS });
    const csv = await by.send({ import_id: 'import_5', format: 'csv', rows });
    expect(csv.body).to.deep.include({ accepted: 1 });
    expect((await by.send({ import_id: 'import_4', rows })).body).to.deep.include({ accepted: 1 });
    await at.logged(source, 3);
    expect((await by.find()).status).to.equal(200);
  });

  it('wait until the undo of the last one is applied', async () => {
    const { source, by } = await imported();
    const { imports, importTurns } = at.api.store;
    // An undo ends like this before the workers have applied it.
    await imports.markUndone(source.id, 'import_1', Date.now());
    const early = await by.find();
    expectProblem(early, 'conflict');
    expect(early.body.detail).to.contain('is not applied yet');
    await importTurns.endTurn(source.id, 'import_1', Date.now() - 11 * 60_000);
    expect((await by.find()).status, 'an undo of long ago').to.equal(200);
  });
});
