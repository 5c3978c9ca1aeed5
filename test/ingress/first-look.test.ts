import { expect } from 'chai';
import { startSlowProxy } from '../faults/support/slow-proxy.ts';
import { startPipeline } from '../support/pipeline.ts';
import { post } from '../support/post.ts';
import { useRedis } from '../support/redis-server.ts';
import { signed } from '../support/signed.ts';
import { use } from '../support/use.ts';

const BODY = { action: 'upsert', event: { title: 'Yoga', starts_at: '2027-03-01T10:00:00Z' } };

describe('a starting ingress', function () {
  this.timeout(240_000);
  const redis = useRedis();
  const proxy = use(() => startSlowProxy(redis.url, { delayMs: 100 }));
  const pipeline = use(() => startPipeline({ ingress: 0, workers: 0, redisUrl: redis.url }));

  it('listens once it can accept requests, however slow Redis is', async () => {
    const source = await pipeline.addSource();
    const url = await pipeline.addIngress({ REDIS_URL: proxy.url }, 'listening');
    const answer = await post(url + source.path, signed({ secret: source.secret, body: BODY }));
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    const told = pipeline.ingresses[0]?.log.map(({ event }) => event);
    expect(told?.indexOf('gate.changed')).to.be.within(0, told?.indexOf('ingress.listening') ?? 0);
  });

  it('listens without Redis, and responds with 503', async () => {
    await redis.kill();
    const url = await pipeline.addIngress({}, 'listening');
    const answer = await post(
      `${url}/api/v1/events/webhook/src_1`,
      signed({ secret: 'whsec_1', body: BODY }),
    );
    expect(answer.status).to.equal(503);
    await redis.restart();
  });
});
