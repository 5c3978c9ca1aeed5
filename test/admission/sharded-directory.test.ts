import { createShardedDirectory } from '@sluice/admission/sharded-directory';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { useRedisClient } from '../support/redis-client.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { sourceRecord } from '../support/source-record.ts';

describe('admission: the source directory of several shards', () => {
  const redis = useRedisClient();

  it('confirms a fence and a change only once the replicas of their shard have them', async () => {
    const shards = createShards(uniqueNamespace(), 2);
    const begun: number[] = [];
    const directory = createShardedDirectory({
      redis,
      shards,
      replicaWaits: shards.all.map((_, shard) => () => {
        begun.push(shard);
        return async () => {
          if (shard === 1) throw new Error('0 of 1 Redis replicas hold the write');
        };
      }),
    });
    const accountOf = (shard: number) =>
      Array.from({ length: 100 }, (_, i) => `acc_${i}`).find((id) => shards.indexOf(id) === shard) as string;
    const record = (shard: number) =>
      sourceRecord({ source_id: `src_${shard}`, account_id: accountOf(shard) });
    const settled = (promise: Promise<unknown>) =>
      promise.then(
        () => 'held',
        (error: Error) => error.message,
      );

    const fence = await directory.fence('src_0', accountOf(0));
    expect(await directory.publish(record(0), fence)).to.equal(true);
    const lost = '0 of 1 Redis replicas hold the write';
    expect(await settled(directory.fence('src_1', accountOf(1)))).to.equal(lost);
    expect(await settled(directory.publish(record(1), fence))).to.equal(lost);
    expect(begun).to.deep.equal([0, 0, 1, 1]);
  });

  it('finds a published source in the shard of its account by its id', async () => {
    const shards = createShards(uniqueNamespace(), 3);
    const replicaWaits = shards.all.map(() => () => async () => {});
    const directory = createShardedDirectory({ redis, shards, replicaWaits });
    const records = Array.from({ length: 12 }, (_, i) =>
      sourceRecord({ source_id: `src_${i}`, account_id: `acc_${i}` }),
    );
    const places = records.map(({ source_id, account_id }) =>
      [source_id, account_id].map((id) => shards.indexOf(id)),
    );
    expect(places.some(([own, account]) => own !== account)).to.equal(true);
    for (const record of records) {
      const { source_id, account_id } = record;
      expect(await directory.read(source_id)).to.deep.equal({ state: 'absent' });
      await directory.publish(record, await directory.fence(source_id, account_id));
      expect(await directory.read(source_id)).to.deep.equal({ state: 'published', record });
    }
  });
});
