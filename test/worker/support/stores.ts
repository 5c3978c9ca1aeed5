import type { Delivery } from '@sluice/contract/delivery/delivery';
import { createDeadLetters, type DeadLetters } from '@sluice/queue/dead-letters';
import { createProducer, type Producer } from '@sluice/queue/producer';
import { createKeyspace } from '@sluice/redis/keyspace';
import { connectStore, type Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import { openTestMongo } from '../../support/mongo-server.ts';
import { patientRedis } from '../../support/redis-client.ts';
import { sharedRedisUrl, uniqueNamespace } from '../../support/shared-redis.ts';
import { use } from '../../support/use.ts';

/** Redis and MongoDB for a test, in a separate namespace. */
export interface TestStores {
  readonly prefix: string;
  readonly mongoUrl: string;
  readonly redis: Redis;
  readonly store: Store;
  readonly producer: Producer;
  readonly deadLetters: DeadLetters;
  /** The environment of a worker process that uses these stores. */
  readonly env: Record<string, string>;
  deliveries(sourceId: string): Promise<Map<string, Delivery>>;
  close(): Promise<void>;
}

/** Stores with their indexes, for the tests of a describe block. */
export function useTestStores(): TestStores {
  const start = async () => {
    const stores = await openTestStores();
    await stores.store.ensureIndexes();
    return stores;
  };
  return use(start);
}

export async function openTestStores(): Promise<TestStores> {
  const redisUrl = sharedRedisUrl();
  const namespace = uniqueNamespace('worker');
  const { prefix } = createKeyspace(namespace);
  const redis = patientRedis(redisUrl);
  const mongo = await openTestMongo('worker');
  const store = connectStore({ url: mongo.url, namespace });
  await store.opened();
  await redis.ping();
  const producer = createProducer({ redis, prefix });
  const deadLetters = createDeadLetters({ redis, prefix });
  return {
    prefix,
    mongoUrl: mongo.url,
    redis,
    store,
    producer,
    deadLetters,
    env: { REDIS_URL: redisUrl, MONGO_URL: mongo.url, SLUICE_NAMESPACE: namespace },
    async deliveries(source_id) {
      const rows = new Map<string, Delivery>();
      for await (const row of store.deliveries.listDeliveries({ source_id })) rows.set(row.delivery_id, row);
      return rows;
    },
    async close() {
      await producer.close();
      await deadLetters.close();
      redis.disconnect();
      await store.close();
      await mongo.close();
    },
  };
}
