import { createRateLimiter, type RateLimiter } from '@sluice/admission/rate-limiter';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { useRedisClient } from '../support/redis-client.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

describe('admission: rates of keys and sign-ins', () => {
  const redis = useRedisClient();
  let replicas: readonly [RateLimiter, RateLimiter];
  const namespace = uniqueNamespace();
  const keyspace = createKeyspace(namespace);
  before(() => {
    replicas = [createRateLimiter({ redis, keyspace }), createRateLimiter({ redis, keyspace })];
  });

  const rate = { count: 5, seconds: 60 };

  it('allows exactly the configured number, over all replicas and with concurrent calls', async () => {
    const taken = await Promise.all(
      Array.from({ length: 50 }, (_, i) => replicas[i % 2 ? 1 : 0]('key', 'k1', rate)),
    );
    const allowed = taken.filter((one) => one.allowed);
    expect(allowed.map(({ remaining }) => remaining)).to.deep.equal([4, 3, 2, 1, 0]);
    for (const refused of taken.filter((one) => !one.allowed)) {
      expect(refused.remaining).to.equal(0);
      // One is free again every 12 seconds.
      expect(refused.retryAfterSeconds).to.be.within(11, 12);
      expect(refused.resetSeconds).to.be.within(59, 60);
    }
  });

  it('counts each key separately, and allows one more once its time has come', async () => {
    const quick = { count: 1, seconds: 1 };
    expect((await replicas[0]('key', 'k2', quick)).allowed).to.equal(true);
    expect((await replicas[0]('key', 'k2', quick)).allowed).to.equal(false);
    expect((await replicas[0]('key', 'k3', quick)).allowed).to.equal(true);
    expect((await replicas[0]('sign-in', 'k2', quick)).allowed).to.equal(true);
    await until(async () => (await replicas[1]('key', 'k2', quick)).allowed);
  });

  it('returns whole seconds that are long enough', async () => {
    const slow = { count: 1, seconds: 100.5 };
    expect(await replicas[0]('key', 'k6', slow)).to.include({ retryAfterSeconds: 0, resetSeconds: 101 });
    const { allowed, retryAfterSeconds, resetSeconds } = await replicas[0]('key', 'k6', slow);
    expect(allowed).to.equal(false);
    const leftMs = await redis.pttl(keyspace.limit('key', 'k6'));
    expect(retryAfterSeconds * 1000).to.be.at.least(leftMs);
    expect(resetSeconds * 1000).to.be.at.least(leftMs);
  });

  it('keeps allowing requests after the clock of Redis jumps back', async () => {
    const quick = { count: 1, seconds: 1 };
    await redis.set(keyspace.limit('key', 'k5'), (Date.now() + 600_000) * 1000);
    expect((await replicas[0]('key', 'k5', quick)).allowed).to.equal(false);
    await until(async () => (await replicas[0]('key', 'k5', quick)).allowed);
  });

  it('sets keys to expire once their rate is free again', async () => {
    await replicas[0]('key', 'k4', rate);
    expect(await redis.pttl(keyspace.limit('key', 'k4'))).to.be.within(1, 12_000);
  });
});
