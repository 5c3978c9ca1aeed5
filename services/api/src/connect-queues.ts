import { createAdmit } from '@sluice/admission/admit';
import { createEnqueueActions } from '@sluice/admission/enqueue/enqueue-actions';
import type { ReplicaWait } from '@sluice/admission/replica-wait';
import { createShardedDirectory } from '@sluice/admission/sharded-directory';
import { createDeadLetters } from '@sluice/queue/dead-letters';
import { createProducer, type Producer } from '@sluice/queue/producer';
import { createQueueStates } from '@sluice/queue/queue-states';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import type { ApiConfig } from './config.ts';

export interface ConnectQueuesDeps {
  readonly config: ApiConfig;
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Store;
  readonly replicaWaits: readonly ReplicaWait[];
  readonly now: () => number;
}

/** Publishes sources, enqueues actions that the API makes, and reads the queues. */
export function connectQueues({ config, redis, shards, store, replicaWaits, now }: ConnectQueuesDeps) {
  const prefixes = shards.all.map(({ prefix }) => prefix);
  const producers = prefixes.map((prefix) => createProducer({ redis, prefix }));
  const defaultRate = { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST };
  const badSignaturesPerMinute = config.BAD_SIGNATURES_PER_MINUTE;
  const lanes = shards.all.map((keyspace, index) => ({
    admit: createAdmit({ redis, keyspace, badSignaturesPerMinute }),
    producer: producers[index] as Producer,
    replicaWait: replicaWaits[index] as ReplicaWait,
  }));
  const directory = createShardedDirectory({ redis, shards, replicaWaits });
  return {
    ...{ producers, defaultRate, directory },
    // A retried dead letter may go into any shard: workers serve all shards, and the sequence number keeps the order.
    producer: producers[0] as Producer,
    queueStates: createQueueStates({ redis, prefixes }),
    deadLetters: createDeadLetters({ redis, prefix: shards.first.prefix }),
    enqueueActions: createEnqueueActions({
      ...{ ...store, directory, plans: config.PLANS, defaultRate, now },
      laneOf: (accountId) => lanes[shards.indexOf(accountId)] as (typeof lanes)[number],
      backlogLimit: Math.ceil(config.BACKLOG_LIMIT / shards.count),
    }),
  };
}
