import {
  createSubscriptionDirectory,
  type SubscriptionDirectory,
} from '@sluice/outbound/directory/subscription-directory';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import type { Keyspace } from '@sluice/redis/keyspace';
import { createShards } from '@sluice/redis/shards/shards';
import { useRedisClient } from '../../../support/redis-client.ts';
import { uniqueNamespace } from '../../../support/shared-redis.ts';

export const ACCOUNT = 'acc_1';

/** A subscription to everything. */
export const subscription = (overrides: Partial<PublishedSubscription> = {}): PublishedSubscription => ({
  subscription_id: 'sub_1',
  account_id: ACCOUNT,
  version: 1,
  kind: 'webhook',
  target_url: 'https://example.com/hook',
  secrets: [{ sealed: 'sealed', expires_at: null }],
  ordered: false,
  events: ['*'],
  filter: {},
  created_at: 0,
  paused: null,
  key_expires_at: null,
  ephemeral_until: null,
  give_up_after_ms: null,
  ...overrides,
});

/** The directory on the shared Redis, in one shard and a separate namespace for each test. */
export function useDirectory() {
  const redis = useRedisClient();
  let keyspace: Keyspace;
  let directory: SubscriptionDirectory;
  beforeEach(() => {
    const shards = createShards(uniqueNamespace(), 1);
    keyspace = shards.first;
    directory = createSubscriptionDirectory({ redis, shards });
  });
  return {
    redis: () => redis,
    keyspace: () => keyspace,
    directory: () => directory,
    /** Publishes all subscriptions of the account. */
    publishAll: (...put: PublishedSubscription[]) => directory.republish(ACCOUNT, async () => ({ put })),
    /** Publishes a change of some subscriptions. */
    publish: async (...put: PublishedSubscription[]) =>
      directory.publish(ACCOUNT, await directory.fence(ACCOUNT), { put, remove: [] }),
  };
}
