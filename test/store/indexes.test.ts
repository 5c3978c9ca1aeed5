import { DAY_SECONDS } from '@sluice/contract/time/durations';
import { connectStore } from '@sluice/store/connect';
import { expect } from 'chai';
import type { mongo } from 'mongoose';
import { listenToCommands } from '../scale/support/mongo-commands.ts';
import { openTestMongo } from '../support/mongo-server.ts';
import { attemptRow, delivery, explained, firstWrite, storedEvent, useStore } from './support.ts';

describe('store: indexes', () => {
  const used = useStore({ deliveryRetentionDays: 30 });
  const expiry = async (collection: string) => {
    const indexes = await used.mongo.db.collection(collection).listIndexes().toArray();
    return indexes
      .filter((index) => index.expireAfterSeconds !== undefined)
      .map(({ key, expireAfterSeconds }) => ({ key, expireAfterSeconds }));
  };

  it('expire deliveries after the configured days, and tombstones at their own time', async () => {
    expect(await expiry('deliveries')).to.deep.equal([
      { key: { received_at: 1 }, expireAfterSeconds: 30 * DAY_SECONDS },
    ]);
    expect(await expiry('events')).to.deep.equal([{ key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
  });

  it('keep a message that waits for 30 days, however short the log of deliveries is', async () => {
    for (const [days, kept] of [
      [7, 30],
      [90, 90],
    ] as const) {
      const store = connectStore({ url: used.mongo.url, namespace: 'unused', deliveryRetentionDays: days });
      await store.opened();
      await store.ensureIndexes();
      await store.close();
      expect(await expiry('webhook_messages')).to.deep.equal([
        { key: { created_at: 1 }, expireAfterSeconds: kept * DAY_SECONDS },
      ]);
    }
    await used.store.ensureIndexes();
  });

  it('keep the hashes of API keys unique', async () => {
    const indexes = await used.mongo.db.collection('api_keys').listIndexes().toArray();
    expect(indexes.find((index) => index.key.hash === 1)?.unique).to.equal(true);
  });

  it('can be ensured repeatedly, and follow a changed retention', async () => {
    const count = async () => (await used.mongo.db.collection('deliveries').listIndexes().toArray()).length;
    const before = await count();
    await used.store.deliveries.insertDeliveries([delivery({ received_at: Date.now() })]);
    for (const deliveryRetentionDays of [7, 7, 90]) {
      const store = connectStore({ url: used.mongo.url, namespace: 'unused', deliveryRetentionDays });
      await store.opened();
      await Promise.all([store.ensureIndexes(), store.ensureIndexes()]);
      await store.close();
      expect(await expiry('deliveries')).to.deep.equal([
        { key: { received_at: 1 }, expireAfterSeconds: deliveryRetentionDays * DAY_SECONDS },
      ]);
    }
    expect(await count()).to.equal(before);
    expect(await used.mongo.db.collection('deliveries').countDocuments({})).to.equal(1);
  });

  it('are created at a start only where one is missing', async () => {
    const uids = used.mongo.db.collection('imported_uids');
    const named = async () => (await uids.listIndexes().toArray()).map(({ name }) => name);
    const before = await named();
    // Not a single index, because DocumentDB cannot drop one everywhere.
    await uids.drop();
    const listener = await listenToCommands(used.mongo.url);
    const store = connectStore({ url: listener.url, namespace: 'unused', deliveryRetentionDays: 30 });
    await store.opened();
    await store.ensureIndexes();
    await store.close();
    await listener.close();
    const created = listener.commands.filter(({ name }) => name === 'createIndexes');
    expect(created.map(({ collection }) => collection)).to.deep.equal(['imported_uids']);
    expect(await named()).to.have.members(before);
  });

  it('stop the start if one has the same name and other options', async () => {
    const mongo = await openTestMongo('indexes');
    const name = await mongo.db.collection('api_keys').createIndex({ hash: 1 });
    const store = connectStore({ url: mongo.url, namespace: 'unused' });
    await store.opened();
    const failure = await store.ensureIndexes().catch((error: Error) => error);
    await store.close();
    await mongo.close();
    expect(failure).to.be.an('error').with.property('message').that.contains(name);
  });

  it('find messages that are due without reading those that wait for longer', async () => {
    const [now, rows] = [Date.now(), Array.from({ length: 20 }, (_, n) => n)];
    await used.store.webhookMessages.logAttempts(
      rows.map((n) => attemptRow('sub_1', n, { next_attempt_at: now + 60_000 * (n < 2 ? -1 : 1) })),
    );
    const due = {
      ...{ subscription_id: 'sub_1', status: 'pending', undelivered: { $exists: true } },
      next_attempt_at: { $lte: new Date(now) },
    };
    const found = used.mongo.db.collection('webhook_messages').find(due);
    const plan = await explained(
      found.sort({ next_attempt_at: 1, created_at: 1, _id: 1 }).limit(10),
      'executionStats',
    );
    if (plan !== undefined) expect(plan.executionStats).to.include({ nReturned: 2, totalDocsExamined: 2 });
  });

  describe('are used by', () => {
    before(async () => {
      const events = Array.from({ length: 200 }, (_, n) =>
        storedEvent({ title: `e${n}` }, { source_id: `src_${n % 10}` }),
      );
      await used.store.events.writeEvents(events.map((event) => firstWrite(event)));
      const rows = Array.from({ length: 200 }, (_, n) =>
        delivery({ delivery_id: `dlv_x${n}`, source_id: `src_${n % 10}` }),
      );
      await used.store.deliveries.insertDeliveries(rows);
    });

    const queries: readonly (readonly [string, string, (c: mongo.Collection) => mongo.FindCursor])[] = [
      [
        'loading events',
        'events',
        (c) => c.find({ _id: { $in: [storedEvent().event_id, 'evt_2'] } as never }),
      ],
      [
        'listing events',
        'events',
        (c) => c.find({ source_id: 'src_1', exists: true }).sort({ starts_at: 1, _id: 1 }),
      ],
      [
        'listing deliveries',
        'deliveries',
        (c) => c.find({ source_id: 'src_1' }).sort({ received_at: -1, sequence: -1, _id: -1 }).limit(20),
      ],
      [
        'finding a refusal by the id of its request',
        'deliveries',
        (c) => c.find({ request_id: 'req_x1', code: { $type: 'string' } }),
      ],
      [
        'finding the pending replies of an account',
        'conversation_messages',
        (c) => c.find({ account_id: 'acc_1', delivery: 'pending' }),
      ],
      ['finding an API key', 'api_keys', (c) => c.find({ hash: 'abc' })],
      [
        "listing an account's sources",
        'sources',
        (c) => c.find({ account_id: 'acc_1' }).sort({ created_at: 1 }),
      ],
    ];
    for (const [what, collection, query] of queries) {
      it(what, async () => {
        const plan = await explained(query(used.mongo.db.collection(collection)));
        if (plan === undefined) return;
        const stages = JSON.stringify(plan);
        expect(stages)
          .to.match(/IXSCAN|IDHACK|EXPRESS/)
          .and.not.contain('COLLSCAN');
      });
    }
  });
});
