import { type ReplicaState, readReplicas } from '@sluice/monitoring/replicas';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { useRedisClient } from '../support/redis-client.ts';
import { startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { useOutboundPipeline } from './support/outbound-pipeline.ts';

describe('dispatcher: its process', function () {
  this.timeout(120_000);
  const pipeline = useOutboundPipeline();
  const redis = useRedisClient(() => pipeline.redis.url);

  const dispatchers = async (): Promise<readonly ReplicaState[]> => {
    const keyspace = createKeyspace(pipeline.namespace);
    const all = await readReplicas({ redis, keyspace }, Date.now());
    return all.filter(({ kind }) => kind === 'dispatcher');
  };
  const report = (...wanted: readonly (string | null)[]) =>
    until(
      async () => {
        const troubles = (await dispatchers()).map(({ trouble }) => trouble);
        return JSON.stringify(troubles) === JSON.stringify(wanted);
      },
      { withinMs: 60_000, what: `the dispatchers report ${JSON.stringify(wanted)}` },
    );

  it('reports MongoDB as its trouble without any message, until it is back', async () => {
    await report(null);
    expect((await dispatchers())[0]).to.include({ kind: 'dispatcher', pid: pipeline.dispatchers[0]?.pid });
    const { mongo } = pipeline;
    // A given MongoDB is not ours to kill.
    if (mongo === undefined) return;
    await mongo.kill();
    await report('MongoDB is not available');
    await mongo.restart();
    await report(null);
  });

  it('disappears from the list of processes at once when it is stopped', async () => {
    const stopped = await pipeline.addDispatcher();
    await report(null, null);
    await stopped.kill('SIGTERM');
    expect((await dispatchers()).map(({ pid }) => pid)).to.deep.equal([pipeline.dispatchers[0]?.pid]);
  });

  it('ends with exit code 78 while accounts are moved to other shards, as a worker does, and does not start', async () => {
    const { shardCount } = createKeyspace(pipeline.namespace);
    expect(await redis.get(shardCount)).to.equal('1');
    await redis.set(shardCount, 'moving 4');
    const running = [...pipeline.dispatchers.slice(0, 1), ...pipeline.workers];
    await until(() => running.every((one) => one.ended() !== undefined), { withinMs: 60_000 });
    expect(running.map((one) => one.ended())).to.deep.equal(running.map(() => 78));
    await redis.set(shardCount, '4');
    const late = startService('dispatcher', { ...pipeline.env });
    await until(() => late.ended() !== undefined, { withinMs: 60_000 });
    expect(late.ended()).to.equal(78);
    expect(late.log.at(-1)).to.include({ event: 'shards.refused', stored: 4 });
  });
});
