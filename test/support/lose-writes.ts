import { Redis } from 'ioredis';
import { type RedisServer, startRedis } from './redis-server.ts';
import { until } from './until.ts';

/**
 * Redis loses what `write` writes, without a restart: a replica misses it and takes over, the former master takes the data of the
 * replica, and is then promoted again. Connections to it stay open.
 */
export async function loseWrites(server: RedisServer, write: () => Promise<unknown>): Promise<void> {
  const other = await startRedis({ replicaOf: server });
  const [master, replica] = [new Redis(server.url), new Redis(other.url)];
  const isInSync = (redis: Redis) => async () =>
    (await redis.info('replication')).includes('master_link_status:up');
  try {
    await until(isInSync(replica));
    await replica.replicaof('NO', 'ONE');
    await write();
    await master.replicaof('127.0.0.1', other.port);
    await until(isInSync(master));
    await master.replicaof('NO', 'ONE');
  } finally {
    for (const redis of [master, replica]) redis.disconnect();
    await other.stop();
  }
}
