import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startIngress, useIngress } from '../support/ingress.ts';
import { post, postUpsert } from '../support/post.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';
import { signed } from '../support/signed.ts';

describe('ingress: separate jobs for rejected requests', () => {
  const ingress = useIngress();

  it('give accepted requests their 200 while rejections cannot be logged and get 503', async () => {
    const source = await ingress.addSource();
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
    const redis = new Redis(sharedRedisUrl());
    // BullMQ cannot add a job if this is not a hash.
    await redis.set(`${createKeyspace(ingress.namespace).prefix}:refusals:meta`, 'no hash');
    redis.disconnect();
    const malformed = () =>
      post(ingress.url + source.path, signed({ secret: source.secret, body: Buffer.from('{') }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) =>
        i % 2 === 0
          ? { good: true, answer: await postUpsert(ingress.url, source) }
          : { good: false, answer: await malformed() },
      ),
    );
    for (const { good, answer } of answers) expect(answer.status).to.equal(good ? 200 : 503);
  });

  it('combine many rejections in few jobs, at least 10 ms apart', async () => {
    const fresh = await startIngress();
    const source = await fresh.addSource();
    const sent = 100;
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: sent }, (_, i) =>
        post(fresh.url + source.path, signed({ secret: source.secret, body: Buffer.from(`{${i}`) })),
      ),
    );
    const ms = performance.now() - startedAt;
    for (const answer of answers) expect(answer.body.code).to.equal('malformed_json');
    const redis = new Redis(sharedRedisUrl());
    const jobs = await redis.llen(`${createKeyspace(fresh.namespace).prefix}:refusals:wait`);
    redis.disconnect();
    // The first commit is immediate, and a timer may fire a millisecond early.
    expect(jobs).to.be.within(1, 1 + ms / 9);
    expect(await fresh.enqueuedRefusals()).to.have.length(sent);
    await fresh.close();
  });
});
