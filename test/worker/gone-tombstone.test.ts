import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { eventId } from '@sluice/contract/event/event-id';
import { connectStore, type Store } from '@sluice/store/connect';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { createFastApplier, interrupted, TOMBSTONE_MS } from './support/fast-applier.ts';
import { cancel, createSource, identity, remove, upsert } from './support/groups.ts';
import { useTestStores } from './support/stores.ts';

const TITLES = ['Yoga', 'Chess', 'Choir'] as const;

describe('a worker whose tombstones expire and whose events are recreated between its load and its write', () => {
  const stores = useTestStores();
  let other: Store;
  let database: mongoose.Connection;

  before(async () => {
    other = connectStore({ url: stores.mongoUrl, namespace: 'unused' });
    await other.opened();
    database = await mongoose.createConnection(stores.mongoUrl).asPromise();
  });
  after(async () => {
    await database?.close();
    await other?.close();
  });

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
      const events = interrupted(stores.store.events, async () => {
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
