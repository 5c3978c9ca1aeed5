import { hashSlot } from '@sluice/redis/shards/shard-connection';
import { Redis } from 'ioredis';
import type { RedisServer } from '../../support/redis-server.ts';
import type { RedisCluster } from './redis-cluster.ts';

/** The move of a slot to another master, as `redis-cli --cluster reshard` makes it. */
export interface SlotMove {
  /** Moves these keys, or all that are left. */
  moveKeys(...keys: readonly string[]): Promise<void>;
  /** Ends the move once all keys have moved. */
  end(): Promise<void>;
}

/** Begins to move the slot of a hash tag. Until its end some keys may be here and some there. */
export async function beginSlotMove(cluster: RedisCluster, tag: string): Promise<SlotMove> {
  const slot = hashSlot(tag);
  const from = await cluster.masterOf(tag);
  const to = await anotherMaster(cluster, from);
  const [source, target] = [connect(from), connect(to)];
  const [sourceId, targetId] = [await source.cluster('MYID'), await target.cluster('MYID')];
  await target.cluster('SETSLOT', slot, 'IMPORTING', sourceId as string);
  await source.cluster('SETSLOT', slot, 'MIGRATING', targetId as string);
  const migrate = (keys: readonly string[]) =>
    source.call('MIGRATE', '127.0.0.1', to.port, '', 0, 5000, 'KEYS', ...keys);
  return {
    async moveKeys(...keys) {
      if (keys.length > 0) return void (await migrate(keys));
      for (;;) {
        const left = await source.cluster('GETKEYSINSLOT', slot, 3);
        if (left.length === 0) return;
        await migrate(left);
      }
    },
    async end() {
      for (const redis of [target, source]) await redis.cluster('SETSLOT', slot, 'NODE', targetId as string);
      for (const redis of [source, target]) redis.disconnect();
    },
  };
}

/** It ends with its server, also if a test fails before the end of the move. */
function connect({ port }: RedisServer): Redis {
  return new Redis(port, '127.0.0.1', { retryStrategy: () => null });
}

async function anotherMaster(cluster: RedisCluster, than: RedisServer): Promise<RedisServer> {
  for (let i = 0; ; i++) {
    const master = await cluster.masterOf(`any:${i}`);
    if (master !== than) return master;
  }
}
