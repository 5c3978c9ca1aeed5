import type { Shards } from '@sluice/redis/shards/shards';
import type { Redis } from 'ioredis';
import type { ReplicaWait } from './replica-wait.ts';
import { createSourceDirectory, type Fence, type SourceDirectory } from './source-directory.ts';
import type { SourceRecord } from './source-record.ts';

/** The source directory of all shards: each source is published in the shard of its account. */
export interface ShardedDirectory extends Omit<SourceDirectory, 'fence'> {
  /** The same as in SourceDirectory. The account comes from MongoDB, because Redis may have lost its data. */
  fence(sourceId: string, accountId: string): Promise<Fence>;
}

export interface ShardedDirectoryDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  /** One for each shard. A failover must not undo a confirmed revocation. */
  readonly replicaWaits: readonly ReplicaWait[];
}

/**
 * A source never changes its account, so the account can be looked up before the shard is known: `:account-of:<source>`, in
 * the shard that the source's id hashes to. It is a hint and not a part of the fence. If it is missing or unreachable,
 * MongoDB is asked. With one shard there is no lookup.
 */
export function createShardedDirectory({
  redis,
  shards,
  replicaWaits,
}: ShardedDirectoryDeps): ShardedDirectory {
  const directories = shards.all.map((keyspace) => createSourceDirectory({ redis, keyspace }));
  const directoryOf = (accountId: string) => directories[shards.indexOf(accountId)] as SourceDirectory;
  const replicaWaitOf = (accountId: string) => replicaWaits[shards.indexOf(accountId)] as ReplicaWait;
  const lookupKey = (sourceId: string) => shards.of(sourceId).accountOf(sourceId);

  // The hint's server may be away while the account's server responds. Then MongoDB is asked, and the hint is written later.
  const readAccount = (sourceId: string) => redis.get(lookupKey(sourceId)).catch(() => null);
  const noteAccount = async ({ source_id, account_id }: SourceRecord): Promise<void> => {
    if (shards.count > 1) await redis.set(lookupKey(source_id), account_id).catch(() => undefined);
  };

  return {
    async fence(sourceId, accountId) {
      const held = replicaWaitOf(accountId)();
      const fence = await directoryOf(accountId).fence(sourceId);
      await held();
      return fence;
    },
    async publish(record, fence) {
      await noteAccount(record);
      const held = replicaWaitOf(record.account_id)();
      const current = await directoryOf(record.account_id).publish(record, fence);
      await held();
      return current;
    },
    async republish(source, load) {
      const record = await directoryOf(source.account_id).republish(source, load);
      if (record !== undefined) await noteAccount(record);
      return record;
    },
    async read(sourceId) {
      if (shards.count === 1) return (directories[0] as SourceDirectory).read(sourceId);
      const accountId = await readAccount(sourceId);
      return accountId === null ? { state: 'absent' } : directoryOf(accountId).read(sourceId);
    },
  };
}
