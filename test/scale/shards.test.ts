import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { TestSource } from '../support/ingress.ts';
import { startPipeline, usePipeline } from '../support/pipeline.ts';
import { postUpsert } from '../support/post.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { sourcesOfAllShards } from './support/sources.ts';

const SHARDS = 4;

describe('accounts spread over shards', function () {
  this.timeout(240_000);
  const pipeline = usePipeline({ env: { QUEUE_SHARDS: String(SHARDS) } });
  const redis = useRedisClient(() => pipeline.redis.url);
  const send = (source: TestSource) => postUpsert(pipeline.urls[0] as string, source);

  it('keeps all admission data of a source in the shard of its account', async () => {
    for (const [shard, source] of (await sourcesOfAllShards(pipeline, SHARDS)).entries()) {
      expect((await send(source)).status).to.equal(200);
      const { prefix } = createShards(pipeline.namespace, SHARDS).all[shard] as { prefix: string };
      expect(await redis.keys(`*:source:${source.sourceId}`)).to.deep.equal([
        `${prefix}:source:${source.sourceId}`,
      ]);
      const remembering: string[] = [];
      for (const key of await redis.keys(`*${pipeline.namespace}*:seen:*`)) {
        const requests = await redis.hkeys(key);
        if (requests.some((request) => request.endsWith(source.sourceId))) remembering.push(key);
      }
      expect(remembering).to.have.length(1);
      expect(remembering[0]?.startsWith(`${prefix}:`)).to.equal(true);
      await pipeline.logged(source, 1);
    }
  });

  it('finds a source that is new to an ingress after Redis has lost its data', async () => {
    const source = await pipeline.addSource();
    const keys = await redis.keys(`*:${source.sourceId}`);
    expect(keys, 'the source, and the entry that names its shard').to.have.length(2);
    await redis.del(...keys);
    expect((await send(source)).status).to.equal(200);
  });

  for (const name of ['ingress', 'worker', 'api'] as const) {
    it(`a process with another number of shards exits at start and states what to do: ${name}`, async () => {
      const service = startService(name, {
        ...pipeline.env,
        QUEUE_SHARDS: '2',
      });
      try {
        await refusal(service);
        const line = service.log.find(({ event }) => event === 'shards.refused');
        expect(line?.msg).to.include('Set QUEUE_SHARDS=4').and.to.include('docs/scaling.md');
      } finally {
        await service.kill('SIGKILL');
      }
    });
  }
});

describe('one shard', function () {
  this.timeout(240_000);

  it('has all keys, and is assumed if Redis was in use before the number was stored', async () => {
    const pipeline = await startPipeline();
    const redis = new Redis(pipeline.redis.url);
    const prefix = `{${pipeline.namespace}:0}:`;
    let service: ServiceProcess | undefined;
    try {
      const source = await pipeline.addSource();
      expect((await postUpsert(pipeline.urls[0] as string, source)).status).to.equal(200);
      await pipeline.logged(source, 1);
      const keys = await redis.keys('*');
      expect(keys.filter((key) => !key.startsWith(prefix))).to.deep.equal([]);
      expect(keys.filter((key) => key.includes('account-of'))).to.deep.equal([]);
      expect(await redis.get(`${prefix}shards`)).to.equal('1');
      // This key shows that it was in use. BullMQ writes it asynchronously.
      const isUsed = async () => (await redis.exists(`${prefix}actions:meta`)) === 1;
      await until(isUsed, { what: 'the key of the queue exists' });
      await Promise.all([...pipeline.ingresses, ...pipeline.workers].map((one) => one.kill('SIGTERM')));
      await redis.del(`${prefix}shards`);
      service = startService('worker', { ...pipeline.env, QUEUE_SHARDS: '4' });
      await refusal(service);
    } finally {
      await service?.kill('SIGKILL');
      redis.disconnect();
      await pipeline.stop();
    }
  });
});

/** Waits until the process has exited with the code of a wrong configuration. Shows its log otherwise. */
async function refusal(service: ServiceProcess): Promise<void> {
  const ended = () => service.ended() !== undefined;
  await until(ended, { withinMs: 90_000, what: 'it has ended' }).catch((error: Error) => {
    throw new Error(`${error.message}; its log: ${JSON.stringify(service.log)}`);
  });
  expect(service.ended(), JSON.stringify(service.log)).to.equal(78);
}
