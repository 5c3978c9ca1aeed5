import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { eventId } from '@sluice/contract/event/event-id';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { expect } from 'chai';
import { createApplyGroup } from '../../services/worker/src/apply/apply-group.ts';
import type { EventPublishing } from '../../services/worker/src/apply/write-events.ts';
import type { EventStore } from '../../services/worker/src/ports.ts';
import { interrupted } from './support/fast-applier.ts';
import { cancel, createSource, upsert } from './support/groups.ts';
import { useTestStores } from './support/stores.ts';

const TOMBSTONE_MS = 60_000;

describe('pending changes of events', () => {
  const stores = useTestStores();

  function applier(
    events: EventStore = stores.store.events,
    keeps = true,
    known: Partial<EventPublishing['wantedAccounts']> = {},
  ) {
    const told: PendingRecord[] = [];
    const publishing: EventPublishing = {
      wantedAccounts: { ask: () => () => keeps, isCurrent: () => true, ...known },
      tell: (record) => told.push(record),
      keepPending: (late) => stores.store.events.keepPending(late),
    };
    const apply = createApplyGroup({
      ...{ events, now: Date.now, tombstoneMs: TOMBSTONE_MS, publishing },
      backoff: () => Promise.resolve(),
    });
    return { apply, told };
  }
  const kindsOf = (records: readonly PendingRecord[]) =>
    records.flatMap(({ changes }) => changes.map(({ kind }) => kind));
  async function kept({ source_id, action }: AdmittedAction): Promise<readonly PendingRecord[]> {
    const id = eventId(source_id, action.identity);
    const query = { collection: 'events', before: Date.now() + 1000, limit: 1000 } as const;
    return (await stores.store.untold.pagePending(query)).records.filter((one) => one.id === id);
  }

  it('are kept by the write that makes them, and told once it has taken effect', async () => {
    const source = createSource();
    const action = source.admit(upsert('Yoga', '1'));
    const { apply, told } = applier();
    await apply([action, source.admit(upsert('Chess', '1'))]);
    expect(kindsOf(told)).to.deep.equal(['event.created', 'event.created']);
    expect(await kept(action)).to.deep.equal([{ ...told[0], expires_at: undefined }]);
  });

  it('survive the writes of others until they are published', async () => {
    const source = createSource();
    const first = source.admit(upsert('Yoga', '1'));
    await applier().apply([first]);
    // No subscription wants changes any more, but these were made before.
    const unwanting = applier(undefined, false);
    await unwanting.apply([source.admit(upsert('Yoga', '2'))]);
    expect(kindsOf(unwanting.told)).to.deep.equal(['event.created']);
    const { apply, told } = applier();
    await apply([source.admit(cancel('Yoga'))]);
    expect(kindsOf(told)).to.deep.equal(['event.created', 'event.cancelled']);
    expect(await kept(first)).to.deep.equal(told.map((one) => ({ ...one, expires_at: undefined })));
    await stores.store.untold.clearPublished(told);
    expect(await kept(first)).to.deep.equal([]);
  });

  it('are kept once if a group is applied again', async () => {
    const source = createSource();
    const actions = [source.admit(upsert('Yoga', '1')), source.admit(cancel('Yoga'))];
    const { apply, told } = applier();
    await apply(actions);
    await apply(actions);
    expect(kindsOf(told)).to.deep.equal(['event.created', 'event.cancelled']);
    expect(kindsOf(await kept(actions[0] as AdmittedAction))).to.have.length(2);
  });

  it('are those of the state that was written, after a lost race', async () => {
    const source = createSource();
    const first = source.admit(upsert('Yoga', '1'));
    await applier(undefined, false).apply([first]);
    const second = source.admit(upsert('Yoga', '2'));
    const events = interrupted(stores.store.events, () => applier(undefined, false).apply([second]));
    const { apply, told } = applier(events);
    await apply([source.admit(upsert('Yoga', '3'))]);
    expect(told.flatMap(({ changes }) => changes.map(({ previous }) => previous))).to.deep.equal([
      { price: '2' },
    ]);
  });

  it('of 8 MiB let further actions on the event wait, and no others', async () => {
    const source = createSource();
    const first = source.admit(upsert('Yoga', '1'));
    await applier().apply([first]);
    const id = eventId(source.source_id, first.action.identity);
    const stored = (await stores.store.events.loadPortion([id])).events.get(id);
    if (stored?.untold === undefined) throw new Error('nothing is untold');
    const { untold, revision } = stored;
    const one = untold.json.slice(1, -1);
    const json = `[${Array(Math.ceil((8 * 2 ** 20) / one.length)).fill(one)}]`;
    const full = { ...stored, untold: { ...untold, json } };
    await stores.store.events.writeEvents([
      {
        ...{ event: full, expectedRevision: revision, newRevision: revision + 1, expiresAt: null },
        expectedPending: untold.sequence,
      },
    ]);
    const again = source.admit(upsert('Yoga', '2'));
    const last = source.admit(cancel('Yoga'));
    const other = source.admit(upsert('Chess', '1'));
    const { apply, told } = applier();
    const outcomes = async () => {
      const result = await apply([again, last, other]);
      return [again, last, other].map((action) => result.of(action).outcome);
    };
    expect(await outcomes()).to.deep.equal(['waits', 'waits', 'created']);
    expect(kindsOf(told)).to.deep.equal(['event.created']);
    await stores.store.untold.clearPublished(await kept(first));
    expect(await outcomes()).to.deep.equal(['updated', 'cancelled', 'created']);
  });

  it('do not come back if they are cleared between the load and the write', async () => {
    const source = createSource();
    const action = source.admit(upsert('Yoga', '1'));
    const first = applier();
    await first.apply([action]);
    const { untold, events: stored } = stores.store;
    const events = interrupted(stored, () => untold.clearPublished(first.told));
    const { apply, told } = applier(events);
    await apply([source.admit(upsert('Yoga', '2'))]);
    expect(kindsOf(told)).to.deep.equal(['event.updated']);
    expect(kindsOf(await kept(action))).to.deep.equal(['event.updated']);
  });

  it('are kept afterwards if the first subscription is created while the write waits for MongoDB', async () => {
    const source = createSource();
    const action = source.admit(upsert('Yoga', '1'));
    let created = false;
    const events: EventStore = {
      loadPortion: (ids) => stores.store.events.loadPortion(ids),
      async writeEvents(writes) {
        created = true;
        return stores.store.events.writeEvents(writes);
      },
    };
    const { apply, told } = applier(events, false, {
      ask: () => () => created,
      isCurrent: () => false,
    });
    await apply([action]);
    expect(kindsOf(told)).to.deep.equal(['event.created']);
    const [record] = await kept(action);
    expect(record?.changes).to.deep.equal(told[0]?.changes);
    expect(await stores.store.untold.clearPublished(told)).to.equal(true);
  });

  it('are none while no subscription wants them', async () => {
    const source = createSource();
    const action = source.admit(upsert('Yoga', '1'));
    const { apply, told } = applier(undefined, false);
    await apply([action]);
    expect(told).to.deep.equal([]);
    expect(await kept(action)).to.deep.equal([]);
  });
});
