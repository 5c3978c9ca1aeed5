import { createPublishLost } from '@sluice/outbound/log/publish-lost';
import { createShards } from '@sluice/redis/shards/shards';
import { connectStore, type Store } from '@sluice/store/connect';
import { expect } from 'chai';
import { useTestMongo } from '../../support/mongo-server.ts';
import { useRedisClient } from '../../support/redis-client.ts';
import { uniqueNamespace } from '../../support/shared-redis.ts';

const ACCOUNTS = ['acc_a', 'acc_b', 'acc_c', 'acc_d'];

describe('the accounts that Redis has lost', () => {
  const mongo = useTestMongo('lost');
  let store: Store;
  const redis = useRedisClient();
  let namespace: string;
  let published: string[];
  before(async () => {
    store = connectStore({ url: mongo.url, namespace: 'unused' });
    await store.opened();
    const subscriptions = ACCOUNTS.slice(0, 3).flatMap((account_id) => [
      { _id: `${account_id}_1`, account_id },
      { _id: `${account_id}_2`, account_id },
    ]);
    await mongo.db.collection<{ _id: string }>('webhook_subscriptions').insertMany(subscriptions);
  });
  beforeEach(() => {
    namespace = uniqueNamespace('lost');
    published = [];
  });
  after(async () => {
    await store?.close();
  });

  const looking = (count: number, republish?: (id: string) => Promise<boolean>) =>
    createPublishLost({
      ...{ redis, shards: createShards(namespace, count) },
      stored: {
        subscriptions: store.subscriptions,
        sources: {
          listSources: async () => [{ account_id: 'acc_d', reply_url: 'https://example.com' }] as never,
        },
      },
      republish:
        republish ??
        (async (id) => {
          published.push(id);
          return true;
        }),
    });
  const publishedOnce = () => {
    expect(published.sort()).to.deep.equal(ACCOUNTS);
    published = [];
  };

  it('are published once, those with a reply URL only too', async () => {
    const look = looking(2);
    await look();
    publishedOnce();
    await look();
    await looking(2)();
    expect(published).to.deep.equal([]);
  });

  it('are published again once Redis was emptied, has begun another run, or has another number of shards', async () => {
    await looking(2)();
    publishedOnce();
    const { all } = createShards(namespace, 2);
    await redis.del(...all.map((keyspace) => keyspace.published));
    await looking(2)();
    publishedOnce();
    for (const keyspace of all) await redis.set(keyspace.published, `${'0'.repeat(40)} 2`);
    await looking(2)();
    publishedOnce();
    await looking(3)();
    publishedOnce();
  });

  it('are published by one of several processes that look at the same time', async () => {
    await Promise.all([looking(1)(), looking(1)(), looking(1)()]);
    publishedOnce();
  });

  it('are published by the next look after one that failed or was stopped', async () => {
    const failed = looking(1, async (id) => {
      if (id === 'acc_c') throw new Error('MongoDB is away');
      return true;
    });
    expect(await failed().catch((error: Error) => error.message)).to.equal('MongoDB is away');
    await looking(1)(() => true);
    expect(published).to.deep.equal([]);
    await looking(1)();
    publishedOnce();
  });

  it('are published until no other change runs meanwhile', async () => {
    let tries = 0;
    await looking(1, async (id) => id !== 'acc_a' || ++tries === 3)();
    expect(tries).to.equal(3);
  });
});
