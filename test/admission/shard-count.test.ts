import { createShardCount } from '@sluice/admission/shard-count';
import { createShards } from '@sluice/admission/shards';
import { createQueueStates } from '@sluice/queue/queue-states';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';

describe('the number of shards', () => {
  it('of a new installation is what its first process was told, even if that one looks at the queues before', async () => {
    const namespace = uniqueNamespace();
    const redis = new Redis(sharedRedisUrl(), { maxRetriesPerRequest: null });
    const prefixes = createShards(namespace, 4).all.map(({ prefix }) => prefix);
    const states = createQueueStates({ redis, prefixes });
    try {
      await Promise.all(states.queues.map((queue) => queue.waitUntilReady()));
      await states.read();
      expect(await createShardCount({ redis, namespace, count: 4 })()).to.deep.equal({ status: 'agreed' });
    } finally {
      await states.close();
      redis.disconnect();
    }
  });
});
