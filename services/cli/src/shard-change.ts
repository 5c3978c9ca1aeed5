import { setTimeout as sleep } from 'node:timers/promises';
import { moveAccounts } from '@sluice/accounts/shards/move-accounts';
import type { SetShardsDeps } from '@sluice/accounts/shards/set-shards';
import { createHoldWrites, createReplicaWaits, WAIT_MS } from '@sluice/admission/replica-wait';
import { readReplicas } from '@sluice/monitoring/replicas';
import { countUnfinished } from '@sluice/queue/unfinished';
import { createKeyspace } from '@sluice/redis/keyspace';
import { claimShardChange, noteShardCount, readShardCount } from '@sluice/redis/shards/shard-count';
import { createShardNode } from '@sluice/redis/shards/shard-node';
import { createShards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';

export interface ShardChangeParts {
  readonly redis: Redis;
  readonly store: Pick<Store, 'sources'>;
  readonly namespace: string;
  /** Redis replicas that must confirm the moved data before it is deleted from the old shard. */
  readonly replicas: number;
}

/** The dependencies of a change of the shard count. */
export function shardChange(
  { redis, store, namespace, replicas }: ShardChangeParts,
  now: () => number,
): SetShardsDeps {
  const waitsOf = (count: number) =>
    createReplicaWaits({ redis, shards: createShards(namespace, count), replicas });
  const holdFirst = createHoldWrites(waitsOf(1));
  return {
    claim: () => claimShardChange(redis, namespace),
    sources: store.sources,
    read: () => readShardCount(redis, namespace),
    note: (noted) => holdFirst(() => noteShardCount(redis, namespace, noted)),
    hasReplicas: async (within) => {
      for (const keyspace of createShards(namespace, within).all) {
        // Without a previous write on this connection, WAIT returns the number of replicas.
        const count = await createShardNode(redis, keyspace).wait(replicas, WAIT_MS);
        if (count < replicas) return false;
      }
      return true;
    },
    replicas: () => readReplicas({ redis, keyspace: createKeyspace(namespace) }, now()),
    async unfinished(shard) {
      const { prefix, foldedIndex } = createKeyspace(namespace, shard);
      const [groups, minutes] = await Promise.all([
        countUnfinished({ redis, prefix }),
        redis.zcard(foldedIndex),
      ]);
      return groups + minutes;
    },
    move: ({ count, within, accountOf }) =>
      moveAccounts({ redis, namespace, accountOf, hold: createHoldWrites(waitsOf(within)) }, count),
    pause: sleep,
    now,
  };
}
