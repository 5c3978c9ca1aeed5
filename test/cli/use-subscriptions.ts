import { createKeyring } from '@sluice/credentials/seal';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import { connectSubscriptions } from '@sluice/outbound/subscriptions/connect-subscriptions';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { createShards } from '@sluice/redis/shards/shards';
import { connectStore, type Store } from '@sluice/store/connect';
import { Redis } from 'ioredis';
import type { useInstallation } from './support.ts';

export interface UsedSubscriptions {
  store: Store;
  redis: Redis;
  deps: SubscriptionDeps;
  /** A subscription as dispatchers read it in Redis. Undefined: nothing is sent for it. */
  publishedOf: (subscriptionId: string) => Promise<PublishedSubscription | undefined>;
}

/** Subscriptions of an installation as the API server changes them. */
export function useSubscriptions(used: ReturnType<typeof useInstallation>): UsedSubscriptions {
  const at = {} as UsedSubscriptions;
  before(async () => {
    at.store = connectStore({ url: used.mongo.url, namespace: 'unused' });
    await at.store.opened();
    await at.store.ensureIndexes();
    at.redis = new Redis(used.env.REDIS_URL ?? '');
    const shards = createShards(used.env.SLUICE_NAMESPACE ?? '', 1);
    at.deps = connectSubscriptions({
      ...{ redis: at.redis, shards, store: at.store, replicaWaits: [], now: Date.now },
      keyring: createKeyring({ current: Buffer.from(used.env.SLUICE_SECRET_KEY ?? '', 'base64') }),
      config: { OUTBOUND_PRIVATE_NETWORKS: true, SUBSCRIPTION_LIMIT: 20 },
    });
    at.publishedOf = async (subscriptionId) => {
      const record = await at.redis.hget(shards.first.mailbox(subscriptionId), 'record');
      return record === null ? undefined : JSON.parse(record);
    };
  });
  after(async () => {
    await at.store?.close();
    at.redis?.disconnect();
  });
  return at;
}
