import type { EnqueueActions } from '@sluice/admission/enqueue/enqueue-actions';
import type { EventItem } from '@sluice/dashboard-api/events';
import type { ImportRow, ImportRows, KnownEvent } from '@sluice/dashboard-api/imports';
import { importRows } from '@sluice/import/apply/import-rows';
import { IMPORT_TURN_MS } from '@sluice/store/imports/import-turns';
import { expect } from 'chai';
import { type Source, useInstallation } from './support/installation.ts';

const UID = 'club@example.org';
const [MONDAY, TUESDAY] = ['2030-05-06T20:00:00.000Z', '2030-05-07T20:00:00.000Z'];

const upsert = (starts_at: string, uid = UID): ImportRow => ({
  row: 1,
  event: { title: 'Club', starts_at },
  calendar_id: { uid, recurrence_id: '' },
});
const cancel = (starts_at: string): ImportRow => ({
  row: 1,
  action: 'cancel',
  event: { title: 'Club', starts_at },
});
/** A plan sends these rows for an event that moved. */
const MOVED = [cancel(MONDAY), upsert(TUESDAY)];

describe('api: the UIDs of imported calendars, on a running installation', () => {
  const at = useInstallation();

  const bodyOf = (source: Source, import_id: string, rows: ImportRow[]): ImportRows => ({
    ...{ source_id: source.id, import_id, file_name: 'club.ics', format: 'ical', rows },
  });
  const send = async (source: Source, import_id: string, rows: ImportRow[]) => {
    const answer = await at.owner.call('post', '/events/import', bodyOf(source, import_id, rows));
    expect(answer.body, answer.text).to.deep.include({ accepted: rows.length });
  };
  const known = async (source: Source, uids = [UID]): Promise<string[]> => {
    const { body } = await at.owner.call('post', '/events/import/uids', { source_id: source.id, uids });
    return (body.known as KnownEvent[]).map(
      ({ starts_at, cancelled }) => `${starts_at}${cancelled ? ' cancelled' : ''}`,
    );
  };
  const stored = async (source: Source): Promise<string[]> => {
    const { body } = await at.owner.call('get', `/events?source_id=${source.id}`);
    return (body.items as EventItem[]).map(({ starts_at, status }) => `${starts_at} ${status}`).sort();
  };
  /** Imports rows with another way to enqueue them. */
  const importWith = (source: Source, rows: ImportRow[], enqueueActions: EnqueueActions, now = Date.now) => {
    const { events, imports, importedUids, importTurns } = at.api.store;
    const importer = { account_id: at.owner.me.account.account_id, by: 'ada@example.org' };
    return importRows(
      { events, imports, importedUids, importTurns, enqueueActions, now },
      importer,
      bodyOf(source, 'import_2', rows),
    );
  };

  it('an undo also restores which event a UID means, so that the next import can move it again', async () => {
    const source = await at.addSource();
    await send(source, 'import_1', [upsert(MONDAY)]);
    await at.logged(source, 1);
    await send(source, 'import_2', MOVED);
    await at.logged(source, 3);
    expect(await known(source)).to.deep.equal([TUESDAY]);
    expect(await stored(source)).to.deep.equal([`${MONDAY} cancelled`, `${TUESDAY} upcoming`]);
    await at.owner.call('post', '/events/import/undo', { source_id: source.id, import_id: 'import_2' });
    await at.logged(source, 5);
    expect(await stored(source)).to.deep.equal([`${MONDAY} upcoming`]);
    expect(await known(source)).to.deep.equal([MONDAY]);
  });

  it('a deleted event is not replaced by the cancelled one that it was before', async () => {
    const source = await at.addSource();
    await send(source, 'import_1', [upsert(MONDAY)]);
    await send(source, 'import_2', MOVED);
    await at.logged(source, 3);
    await at.sendTo(source, { action: 'delete', event: { title: 'Club', starts_at: TUESDAY } });
    await at.logged(source, 4);
    expect(await known(source)).to.deep.equal([]);
  });

  it('an import that stops before a moved event leaves its UID with the stored event', async () => {
    const source = await at.addSource();
    await send(source, 'import_1', [upsert(MONDAY)]);
    await at.logged(source, 1);
    const full = { outcome: 'refused', code: 'unavailable', detail: 'Too many actions wait.' } as const;
    const { stopped } = await importWith(source, MOVED, async (_, wanted) => wanted.map(() => full));
    expect(stopped).to.deep.equal(full);
    expect(await known(source)).to.deep.equal([MONDAY]);
  });

  it('a process that dies after it enqueued the rows has noted their UIDs', async () => {
    const source = await at.addSource();
    const dies = async () => Promise.reject(new Error('killed'));
    // Another import waits a minute for a process that has died.
    const minuteAgo = () => Date.now() - IMPORT_TURN_MS;
    const died = await importWith(source, [upsert(MONDAY)], dies, minuteAgo).catch((error: unknown) => error);
    expect(died).to.have.property('message', 'killed');
    // Those rows were enqueued by the dead process.
    await at.sendTo(source, { action: 'upsert', event: { title: 'Club', starts_at: MONDAY } });
    await at.logged(source, 1);
    expect(await known(source)).to.deep.equal([MONDAY]);
  });

  it('an undo restores the event that a moved row cancelled, if the new row was rejected', async () => {
    const source = await at.addSource();
    const { whole } = await importWith(source, MOVED, async (_, wanted) =>
      wanted.map(({ action: { kind } }, sequence) =>
        kind === 'upsert'
          ? { outcome: 'refused', code: 'plan_limit_reached', detail: 'No upserts are left.' }
          : { outcome: 'enqueued', delivery_id: 'dlv_1', sequence: sequence + 1, received_at: 1 },
      ),
    );
    expect(whole?.event_ids).to.have.length(1);
  });
});
