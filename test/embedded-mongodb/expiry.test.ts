import { until } from '../support/until.ts';
import { useServers } from './support/server.ts';

describe('embedded-mongodb: TTL indexes', () => {
  const start = useServers();
  const hour = 3_600_000;

  async function withClock() {
    const clock = { now: Date.UTC(2026, 0, 1) };
    const { client } = await start({ now: () => clock.now, expirySweepMilliseconds: 5 });
    const collection = client.db('t').collection<{ _id: string; at?: unknown }>('c');
    const ids = async (): Promise<string[]> =>
      (await collection.find().toArray()).map(({ _id }) => _id).sort();
    const left = (...expected: string[]) =>
      until(async () => (await ids()).join() === expected.join(), {
        what: `only ${expected.join()} are left`,
      });
    return { clock, collection, client, ids, left };
  }

  it('a document is removed once its date is expireAfterSeconds ago, and not before', async () => {
    const { clock, collection, left } = await withClock();
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 3600 });
    await collection.insertMany([
      { _id: 'old', at: new Date(clock.now) },
      { _id: 'young', at: new Date(clock.now + 1000) },
    ]);
    clock.now += hour - 1;
    await collection.insertOne({ _id: 'past', at: new Date(0) }); // its removal shows that a sweep has run
    await left('old', 'young');
    clock.now += 1;
    await left('young');
    clock.now += 1000;
    await left();
  });

  it('a value that is not a date never expires; of several dates the earliest counts', async () => {
    const { clock, collection, left } = await withClock();
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 1 });
    await collection.insertMany([
      { _id: 'list', at: [new Date(clock.now + hour), new Date(0)] },
      { _id: 'none' },
      { _id: 'null', at: null },
      { _id: 'number', at: 5 },
      { _id: 'text', at: '1970-01-01' },
    ]);
    await left('none', 'null', 'number', 'text');
  });

  it('a partial TTL index removes only the documents in it', async () => {
    const { collection, left } = await withClock();
    await collection.createIndex(
      { at: 1 },
      { expireAfterSeconds: 1, partialFilterExpression: { done: true } },
    );
    await collection.insertMany([
      { _id: 'done', at: new Date(0), done: true },
      { _id: 'open', at: new Date(0) },
    ] as never[]);
    await left('open');
  });

  it('collMod to a shorter time takes effect, and a sweep removes a thousand documents', async () => {
    const { clock, collection, client, left } = await withClock();
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 1_000_000 });
    await collection.insertMany(
      Array.from({ length: 1200 }, (_, n) => ({ _id: `x${n}`, at: new Date(clock.now - hour) })),
    );
    await client.db('t').command({ collMod: 'c', index: { keyPattern: { at: 1 }, expireAfterSeconds: 60 } });
    await left();
  });
});
