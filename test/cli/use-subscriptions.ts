import { subscriptionInput } from '@sluice/contract/subscription/subscription';
import { newId } from '@sluice/credentials/ids';
import { createKeyring } from '@sluice/credentials/seal';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import { connectSubscriptions } from '@sluice/outbound/subscriptions/connect-subscriptions';
import { createSubscription } from '@sluice/outbound/subscriptions/create-subscription';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { createShards } from '@sluice/redis/shards/shards';
import type { useInstallation } from './support.ts';

type StoredSubscription = Extract<
  Awaited<ReturnType<typeof createSubscription>>,
  { readonly secret: string }
>['subscription'];

interface Client {
  readonly platform: string;
  readonly workflow_name?: string;
}

export interface UsedSubscriptions {
  deps: SubscriptionDeps;
  /** Subscribes an address of this machine with a key, as the API does. */
  subscribe: (keyId: string, client?: Client) => Promise<StoredSubscription>;
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
      config: { OUTBOUND_PRIVATE_NETWORKS: true, OUTBOUND_ALLOW: [], SUBSCRIPTION_LIMIT: 20 },
    });
    at.subscribe = async (keyId, client) => {
      const key = await used.store.apiKeys.findApiKey(keyId);
      if (key === undefined) throw new Error(`no key ${keyId}`);
      const { replaced_by: _, ...before } = key;
      const target_url = `http://127.0.0.1:8999/${newId('sub')}`;
      // A process that has read the key before a rotation subscribes with it too.
      const apiKeys = { ...used.store.apiKeys, findApiKey: async () => before };
      const made = await createSubscription(
        { ...at.deps, apiKeys },
        {
          accountId: key.account_id,
          key: before,
          input: subscriptionInput.parse({ target_url, events: ['*'], client }),
          newId: newId('sub'),
        },
      );
      if (!('secret' in made)) throw new Error(made.status);
      return made.subscription;
    };
    at.publishedOf = async (subscriptionId) => {
      const record = await used.redis.hget(shards.first.mailbox(subscriptionId), 'record');
      return record === null ? undefined : JSON.parse(record);
    };
  });
  return at;
}
