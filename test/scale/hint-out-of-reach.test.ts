import { createReplicaWaits } from '@sluice/admission/replica-wait';
import { createShardedDirectory, type ShardedDirectory } from '@sluice/admission/sharded-directory';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { hashSlot } from '@sluice/redis/shards/shard-connection';
import { createShards, shardOf } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { freePort } from '../support/free-port.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { sourceRecord } from '../support/source-record.ts';
import { until } from '../support/until.ts';

const LAST_SLOT = 16_383;
const inShard = (shard: number, prefix: string) => {
  for (let i = 0; ; i++) if (shardOf(`${prefix}_${i}`, 2) === shard) return `${prefix}_${i}`;
};
/** The account is in shard 1. Shard 0 stores which account the source belongs to. */
const RECORD = sourceRecord({ source_id: inShard(0, 'src'), account_id: inShard(1, 'acc') });

describe('a source whose account is in an available shard, while the shard that names the account is down', function () {
  this.timeout(120_000);
  let server: RedisServer;
  let redis: Redis;
  let directory: ShardedDirectory;
  before(async () => {
    const options = { enabled: 'yes', 'require-full-coverage': 'no', 'announce-ip': '127.0.0.1' };
    const args = Object.entries({ ...options, port: await freePort() });
    server = await startRedis({
      args: args.flatMap(([name, value]) => [`--cluster-${name}`, String(value)]),
    });
    const shards = createShards(uniqueNamespace(), 2);
    await serveAllBut(hashSlot(shards.first.tag));
    redis = connectRedis({
      url: `redis+cluster://127.0.0.1:${server.port}`,
      name: 'test',
      role: 'request',
      logger: silentLogger(),
    });
    await until(() => redis.status === 'ready', { what: 'the connection is ready' });
    const replicaWaits = createReplicaWaits({ redis, shards, replicas: 0 });
    directory = createShardedDirectory({ redis, shards, replicaWaits });
  });
  after(async () => {
    redis?.disconnect();
    await server?.stop();
  });

  async function serveAllBut(slot: number): Promise<void> {
    const node = new Redis(server.url);
    const ranges = [0, slot - 1, slot + 1, LAST_SLOT];
    await node.call('CLUSTER', 'ADDSLOTSRANGE', ...ranges);
    const isUp = async () => String(await node.cluster('INFO')).includes('cluster_state:ok');
    await until(isUp, { what: 'the Cluster is up' });
    node.disconnect();
  }

  it('counts as absent, so that MongoDB is asked, and can be republished and changed', async () => {
    const { source_id, account_id } = RECORD;
    expect(await directory.read(source_id)).to.deep.equal({ state: 'absent' });
    expect(await directory.republish(RECORD, async () => RECORD)).to.deep.equal(RECORD);
    const fence = await directory.fence(source_id, account_id);
    expect(await directory.publish({ ...RECORD, version: 2 }, fence)).to.equal(true);
  });
});
