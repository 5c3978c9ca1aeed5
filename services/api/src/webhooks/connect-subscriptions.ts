import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplicaWait } from '@sluice/admission/replica-wait';
import type { Keyring } from '@sluice/credentials/seal';
import { createAddressPolicy } from '@sluice/egress/address-policy';
import { checkTargetUrl } from '@sluice/egress/check-url';
import { createSubscriptionDirectory } from '@sluice/mailboxes/subscription-directory';
import type { Shards } from '@sluice/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { SubscriptionDeps } from '@sluice/subscriptions/deps';
import type { Redis } from 'ioredis';
import type { ApiConfig } from '../config.ts';

export interface ConnectSubscriptionsDeps {
  readonly config: Pick<ApiConfig, 'OUTBOUND_PRIVATE_NETWORKS' | 'SUBSCRIPTION_LIMIT'>;
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Store;
  readonly keyring: Keyring;
  /** One for each shard. A failover must not undo a confirmed change. */
  readonly replicaWaits: readonly ReplicaWait[];
  readonly now: () => number;
}

/** The dependencies of changes of webhook subscriptions. */
export function connectSubscriptions(deps: ConnectSubscriptionsDeps): SubscriptionDeps {
  const { config, redis, shards, store, keyring, replicaWaits, now } = deps;
  const allowPrivate = config.OUTBOUND_PRIVATE_NETWORKS;
  const policy = { mayConnect: createAddressPolicy({ allowPrivate }), allowHttp: allowPrivate };
  const directory = createSubscriptionDirectory({ redis, shards });
  const onReplicas = async <T>(accountId: string, work: () => Promise<T>): Promise<T> => {
    const replicated = (replicaWaits[shards.indexOf(accountId)] as ReplicaWait)();
    const result = await work();
    await replicated();
    return result;
  };
  return {
    subscriptions: store.subscriptions,
    sources: store.sources,
    apiKeys: store.apiKeys,
    subscriptionDirectory: {
      fence: (accountId) => onReplicas(accountId, () => directory.fence(accountId)),
      publish: (accountId, ...rest) => onReplicas(accountId, () => directory.publish(accountId, ...rest)),
    },
    keyring,
    async checkTargetUrl(text) {
      const checked = await checkTargetUrl(text, policy);
      return checked.outcome === 'url' ? { outcome: 'url', url: checked.url.href } : checked;
    },
    subscriptionLimit: config.SUBSCRIPTION_LIMIT,
    now,
    sleep: (ms) => sleep(ms),
  };
}
