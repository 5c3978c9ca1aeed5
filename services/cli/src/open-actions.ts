import { createAdmit } from '@sluice/admission/admit';
import { createEnqueueActions, type EnqueueActions } from '@sluice/admission/enqueue/enqueue-actions';
import type { ReplicaWait } from '@sluice/admission/replica-wait';
import type { ShardedDirectory } from '@sluice/admission/sharded-directory';
import { createProducer } from '@sluice/queue/producer';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import type { Limits } from './configured.ts';
import type { OnClose } from './connecting.ts';

export interface ActionParts {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Store;
  readonly replicaWaits: readonly ReplicaWait[];
  readonly directory: ShardedDirectory;
  readonly limits: Limits;
  readonly now: () => number;
}

/** Admits and enqueues actions as the API server does. */
export function openEnqueueActions(parts: ActionParts, onClose: OnClose): EnqueueActions {
  const { redis, shards, store, replicaWaits, directory, limits, now } = parts;
  const lanes = shards.all.map((keyspace, index) => ({
    admit: createAdmit({ redis, keyspace, badSignaturesPerMinute: limits.BAD_SIGNATURES_PER_MINUTE }),
    producer: createProducer({ redis, prefix: keyspace.prefix }),
    replicaWait: replicaWaits[index] as ReplicaWait,
  }));
  onClose(() => Promise.all(lanes.map(({ producer }) => producer.close())));
  return createEnqueueActions({
    ...{ directory, sources: store.sources, accounts: store.accounts, plans: limits.PLANS, now },
    laneOf: (accountId) => lanes[shards.indexOf(accountId)] as (typeof lanes)[number],
    defaultRate: { perSecond: limits.RATE_LIMIT_PER_SECOND, burst: limits.RATE_LIMIT_BURST },
    backlogLimit: Math.ceil(limits.BACKLOG_LIMIT / shards.count),
  });
}
