import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { eventId } from '@sluice/contract/event/event-id';
import { connectStore, type Store } from '@sluice/store/connect';
import { expect } from 'chai';
import mongoose from 'mongoose';
import type { EventStore } from '../../services/worker/src/event-store.ts';
import { createFastApplier, TOMBSTONE_MS } from './support/fast-applier.ts';
import { cancel, createSource, identity, remove, upsert } from './support/groups.ts';
import { openTestStores, type TestStores } from './support/stores.ts';

const TITLES = ['Yoga', 'Chess', 'Choir'] as const;

describe('a worker whose tombstones expire and whose events are recreated between its load and its write', () => {
  let stores: TestStores;
  let other: Store;
  let database: mongoose.Connection;

  before(async () => {
    stores = await openTestStores();
    await stores.store.ensureIndexes();
    other = connectStore({ url: stores.mongoUrl, namespace: 'unused' });
    await other.opened();
    database = await mongoose.createConnection(stores.mongoUrl).asPromise();
  });
  after(async () => {
    await database?.close();
    await other?.close();
    await stores?.close();
  });

  /** The store, which runs `meanwhile` between the first load and the write. */
  function interrupted(meanwhile: () => Promise<unknown>): EventStore {
    const { events } = stores.store;
    let loads = 0;
    return {
      writeEvents: (writes) => events.writeEvents(writes),
      async loadPortion(ids) {
        const loaded = await events.loadPortion(ids);
        loads += 1;
        if (loads === 1) await meanwhile();
        return loaded;
      },
    };
  }

  for (const [name, kind] of [
    ['tombstones', remove],
    ['markers', cancel],
  ] as const) {
    it(`never overwrites the events that followed its ${name}`, async () => {
      const source = createSource();
      const forAll = (of: (title: string) => AdmittedAction['action']) =>
        TITLES.map((title) => source.admit(of(title)));
      const ids = TITLES.map((title) => eventId(source.source_id, identity(title)));
      const loadedByIt = forAll(kind);
      const late = forAll(cancel);
      const fresh = forAll((title) => upsert(title, 'fresh'));

      await createFastApplier(other.events)(loadedByIt);
      const events = interrupted(async () => {
        // Removes the documents like the TTL index.
        await database.collection('events').deleteMany({ _id: { $in: ids as never[] } });
        await createFastApplier(other.events, () => Date.now() + TOMBSTONE_MS)(fresh);
      });
      await createFastApplier(events)(late);

      const { events: stored } = await stores.store.events.loadPortion(ids);
      expect(TITLES.map((_, n) => stored.get(ids[n] as string)?.state.content?.value.price)).to.deep.equal([
        'fresh',
        'fresh',
        'fresh',
      ]);
    });
  }
});
