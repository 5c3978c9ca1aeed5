import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { type OutboundPipeline, startOutboundPipeline } from './support/outbound-pipeline.ts';

describe('dispatcher and worker: another number of shards', function () {
  this.timeout(60_000);
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

  it('end with exit code 78 while accounts are moved, and do not start', async () => {
    const { shardCount } = createKeyspace(pipeline.namespace);
    expect(await redis.get(shardCount)).to.equal('1');
    await redis.set(shardCount, 'moving 4');
    const running = [...pipeline.dispatchers, ...pipeline.workers];
    await until(() => running.every((one) => one.ended() !== undefined), { withinMs: 20_000 });
    expect(running.map((one) => one.ended())).to.deep.equal(running.map(() => 78));
    await redis.set(shardCount, '4');
    const late = startService('dispatcher', { ...pipeline.env });
    await until(() => late.ended() !== undefined, { withinMs: 20_000 });
    expect(late.ended()).to.equal(78);
    expect(late.log.at(-1)).to.include({ event: 'shards.refused', stored: 4 });
  });
});
