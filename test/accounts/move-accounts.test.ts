import { moveAccounts } from '@sluice/accounts/shards/move-accounts';
import { createHoldWrites, createReplicaWaits } from '@sluice/admission/replica-wait';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { useRedisClient } from '../support/redis-client.ts';
import { useRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

describe('moving accounts to another shard', function () {
  this.timeout(60_000);
  const server = useRedis();
  const replica = useRedis({ replicaOf: server });
  const redis = useRedisClient(() => server.url);
  before(async () => {
    const inStep = async () => /state=online/.test(await redis.info('replication'));
    await until(inStep, { what: 'the replica is in step' });
  });

  it('keeps the original until a replica has the copy, and completes once the replica has the delete', async () => {
    const [one, four] = [createShards('moved', 1), createShards('moved', 4)];
    const accountOf = (sourceId: string) => sourceId;
    const id = ['a', 'b', 'c', 'd', 'e', 'f'].find((name) => four.indexOf(name) !== 0) as string;
    const minute = 29_000_000;
    const keysOf = ({ of }: typeof one) => {
      const home = of(id);
      return [home.source(id), home.seen('1'), home.folded(id, minute), home.foldedIndex];
    };
    const [source, seen, folded, foldedIndex] = keysOf(one) as [string, string, string, string];
    await redis.hset(source, 'seq', '7');
    await redis.hset(seen, `0123456789abcdef${id}`, '7');
    await redis.hset(folded, 'signature_invalid', '3');
    await redis.zadd(foldedIndex, minute, `${id}|${id}|${minute}`);
    const move = () => {
      const hold = createHoldWrites(createReplicaWaits({ redis, shards: four, replicas: 1 }));
      return moveAccounts({ redis, namespace: 'moved', accountOf, hold }, 4);
    };

    process.kill(replica.pid, 'SIGSTOP');
    const unconfirmed = await move().then(
      () => 'moved',
      (error: Error) => error.message,
    );
    expect(unconfirmed).to.equal('Command timed out: 0 of 1 Redis replicas hold the write');
    expect(await redis.exists(...keysOf(one)), 'originals').to.equal(4);

    process.kill(replica.pid, 'SIGCONT');
    await until(async () => (await redis.wait(1, 100)) === 1, { what: 'the replica answers' });
    await move();
    const copied = new Redis(replica.url);
    expect(await copied.exists(...keysOf(one)), 'originals').to.equal(0);
    expect(await copied.exists(...keysOf(four)), 'copies').to.equal(4);
    copied.disconnect();
  });
});
