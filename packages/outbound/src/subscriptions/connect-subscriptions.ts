import { setTimeout as sleep } from 'node:timers/promises';
import type { Keyring } from '@sluice/credentials/seal';
import { outboundRules } from '@sluice/egress/address-policy';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import {
  createSubscriptionDirectory,
  type SubscriptionDirectory,
} from '../directory/subscription-directory.ts';
import { createOutbox, type Outbox } from '../log/outbox.ts';
import type { SubscriptionDeps } from './deps.ts';
import { createCheckTargetUrl } from './target-url-check.ts';

export interface ConnectPublishingDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Store;
  /** One for each shard (admission/replica-wait.ts). A failover must not undo a confirmed change. */
  readonly replicaWaits: readonly (() => () => Promise<void>)[];
  /** Default: others on this connection. A process that has them (publish/connect-outbound.ts) passes its own. */
  readonly subscriptionDirectory?: SubscriptionDirectory;
  readonly outbox?: Outbox;
  readonly now: () => number;
}

export interface ConnectSubscriptionsDeps extends ConnectPublishingDeps {
  readonly config: {
    readonly OUTBOUND_PRIVATE_NETWORKS: boolean;
    readonly OUTBOUND_ALLOW: readonly string[];
    readonly SUBSCRIPTION_LIMIT: number;
  };
  readonly keyring: Keyring;
}

type PublishingDeps = Omit<SubscriptionDeps, 'keyring' | 'checkTargetUrl' | 'subscriptionLimit'>;

/** The dependencies of changes that need neither a secret, a URL nor a filter, such as pauses. */
export function connectPublishing(deps: ConnectPublishingDeps): PublishingDeps {
  const { redis, shards, store, replicaWaits, now } = deps;
  const directory = deps.subscriptionDirectory ?? createSubscriptionDirectory({ redis, shards });
  const onReplicas = async <T>(accountId: string, work: () => Promise<T>): Promise<T> => {
    const replicated = replicaWaits[shards.indexOf(accountId)]?.();
    const result = await work();
    await replicated?.();
    return result;
  };
  return {
    ...store,
    outbox: deps.outbox ?? createOutbox({ redis, shards, store, now }),
    subscriptionDirectory: {
      fence: (accountId) => onReplicas(accountId, () => directory.fence(accountId)),
      publish: (accountId, ...rest) => onReplicas(accountId, () => directory.publish(accountId, ...rest)),
      version: directory.version,
      unpublished: directory.unpublished,
      republish: (accountId, load) => onReplicas(accountId, () => directory.republish(accountId, load)),
    },
    now,
    sleep: (ms) => sleep(ms),
  };
}

/** The dependencies of changes of webhook subscriptions. */
export function connectSubscriptions(deps: ConnectSubscriptionsDeps): SubscriptionDeps {
  const { config, keyring } = deps;
  return {
    ...connectPublishing(deps),
    keyring,
    checkTargetUrl: createCheckTargetUrl(outboundRules(config)),
    subscriptionLimit: config.SUBSCRIPTION_LIMIT,
  };
}
