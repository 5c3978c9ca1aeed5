import { createKeyring } from '@sluice/credentials/seal';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import { connectSubscriptions } from '@sluice/outbound/subscriptions/connect-subscriptions';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { createShards } from '@sluice/redis/shards/shards';
import type { useInstallation } from './support.ts';

export interface UsedSubscriptions {
  deps: SubscriptionDeps;
  /** A subscription as dispatchers read it in Redis. Undefined: nothing is sent for it. */
  publishedOf: (subscriptionId: string) => Promise<PublishedSubscription | undefined>;
}

/** Subscriptions of an installation as the API server changes them. */
export function useSubscriptions(used: ReturnType<typeof useInstallation>): UsedSubscriptions {
  const at = {} as UsedSubscriptions;
  before(async () => {
    await used.store.ensureIndexes();
    const shards = createShards(used.env.SLUICE_NAMESPACE ?? '', 1);
    at.deps = connectSubscriptions({
      ...{ redis: used.redis, shards, store: used.store, replicaWaits: [], now: Date.now },
      keyring: createKeyring({ current: Buffer.from(used.env.SLUICE_SECRET_KEY ?? '', 'base64') }),
      config: { OUTBOUND_PRIVATE_NETWORKS: true, SUBSCRIPTION_LIMIT: 20 },
    });
    at.publishedOf = async (subscriptionId) => {
      const record = await used.redis.hget(shards.first.mailbox(subscriptionId), 'record');
      return record === null ? undefined : JSON.parse(record);
    };
  });
  return at;
}
