import { type ReplicaState, readReplicas } from '@sluice/monitoring/replicas';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { until } from '../support/until.ts';
import { type OutboundPipeline, startOutboundPipeline } from './support/outbound-pipeline.ts';

describe('dispatcher: its heartbeat', function () {
  this.timeout(120_000);
  let pipeline: OutboundPipeline;
  let redis: Redis;
  before(async () => {
    pipeline = await startOutboundPipeline();
    redis = new Redis(pipeline.redis.url);
  });
  after(async () => {
    redis?.disconnect();
    await pipeline?.stop();
  });

  const dispatchers = async (): Promise<readonly ReplicaState[]> => {
    const keyspace = createKeyspace(pipeline.namespace);
    const all = await readReplicas({ redis, keyspace }, Date.now());
    return all.filter(({ kind }) => kind === 'dispatcher');
  };
  const troubles = async () => (await dispatchers()).map(({ trouble }) => trouble);
  const report = (...wanted: readonly (string | null)[]) =>
    until(async () => JSON.stringify(await troubles()) === JSON.stringify(wanted), {
      what: `the dispatchers report ${JSON.stringify(wanted)}`,
    });

  it('reports that it takes turns', async () => {
    await report(null);
    expect((await dispatchers())[0]).to.include({ kind: 'dispatcher', pid: pipeline.dispatchers[0]?.pid });
  });

  it('reports MongoDB as its trouble without any message, until it is back', async () => {
    const { mongo } = pipeline;
    // A given MongoDB is not ours to kill.
    if (mongo === undefined) return;
    await mongo.kill();
    await report('MongoDB is not available');
    await mongo.restart();
    await report(null);
  });

  it('disappears at once when it is stopped, and stays with its last report when it is killed', async () => {
    const killed = await pipeline.addDispatcher();
    await report(null, null);
    await pipeline.dispatchers[0]?.kill('SIGTERM');
    expect((await dispatchers()).map(({ pid }) => pid)).to.deep.equal([killed.pid]);
    await killed.kill('SIGKILL');
    expect((await dispatchers()).map(({ pid }) => pid)).to.deep.equal([killed.pid]);
  });
});
