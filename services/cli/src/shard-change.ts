import { setTimeout as pause } from 'node:timers/promises';
import { createKeyspace } from '@sluice/admission/keyspace';
import { moveAccounts } from '@sluice/admission/move-accounts';
import { readReplicas } from '@sluice/admission/replicas';
import { claimShardChange, noteShardCount, readShardCount } from '@sluice/admission/shard-count';
import type { SetShardsDeps } from '@sluice/management/set-shards';
import { countUnfinished } from '@sluice/queue/unfinished';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';

/** What a change of the number of shards works on. */
export function shardChange(
  { redis, store, namespace }: { redis: Redis; store: Pick<Store, 'sources'>; namespace: string },
  now: () => number,
): SetShardsDeps {
  return {
    claim: () => claimShardChange(redis, namespace),
    sources: store.sources,
    read: () => readShardCount(redis, namespace),
    note: (noted) => noteShardCount(redis, namespace, noted),
    replicas: () => readReplicas({ redis, keyspace: createKeyspace(namespace) }, now()),
    async unfinished(shard) {
      const { prefix, foldedIndex } = createKeyspace(namespace, shard);
      const [groups, minutes] = await Promise.all([
        countUnfinished({ redis, prefix }),
        redis.zcard(foldedIndex),
      ]);
      return groups + minutes;
    },
    move: (count, accountOf) => moveAccounts({ redis, namespace, accountOf }, count),
    pause,
    now,
  };
}
