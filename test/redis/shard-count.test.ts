import { createQueueStates } from '@sluice/queue/queue-states';
import { createKeyspace } from '@sluice/redis/keyspace';
import { claimShardChange, createShardCount } from '@sluice/redis/shards/shard-count';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { useRedisClient } from '../support/redis-client.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

describe('the number of shards', () => {
  const redis = useRedisClient();

  it('is the setting of the first process, even if that reads the queues before', async () => {
    const namespace = uniqueNamespace();
    const prefixes = createShards(namespace, 4).all.map(({ prefix }) => prefix);
    const states = createQueueStates({ redis, prefixes });
    try {
      await Promise.all(states.queues.map((queue) => queue.waitUntilReady()));
      await states.read();
      expect(await createShardCount({ redis, namespace, count: 4 })()).to.deep.equal({ status: 'agreed' });
    } finally {
      await states.close();
    }
  });

  it('has one claim at a time, and a late process does not end the claim of another', async () => {
    const namespace = uniqueNamespace();
    const { shardChange } = createKeyspace(namespace);
    const endFirst = await claimShardChange(redis, namespace);
    expect(await claimShardChange(redis, namespace), 'while the first is at it').to.equal(undefined);
    await redis.del(shardChange);
    const endSecond = await claimShardChange(redis, namespace);
    await endFirst?.();
    expect(await redis.exists(shardChange), 'the second goes on').to.equal(1);
    await endSecond?.();
    expect(await redis.exists(shardChange)).to.equal(0);
  });

  it('stays claimed while the claiming process runs', async () => {
    const namespace = uniqueNamespace();
    const { shardChange } = createKeyspace(namespace);
    const end = await claimShardChange(redis, namespace);
    const soon = 6_000;
    await redis.pexpire(shardChange, soon);
    await until(async () => (await redis.pttl(shardChange)) > soon, { what: 'it is claimed for longer' });
    await end?.();
  });
});
