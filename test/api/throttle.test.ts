import { createRateLimiter } from '@sluice/admission/rate-limiter';
import { createThrottle, type Throttle } from '@sluice/api/parts/throttle';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import type { Request } from 'express';
import { useRedisClient } from '../support/redis-client.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';

const EMAIL = 'ada@example.com';
const from = (ip: string) => ({ ip, headers: {}, app: { get: () => undefined } }) as unknown as Request;

describe('api: the throttle of sign-ins', () => {
  const redis = useRedisClient();
  let throttle: Throttle;
  beforeEach(() => {
    throttle = createThrottle({
      take: createRateLimiter({ redis, keyspace: createKeyspace(uniqueNamespace('throttle')) }),
      userTokens: {} as never,
      users: {} as never,
      now: Date.now,
    });
  });

  /** The number of attempts until one is rejected. */
  async function allowed(
    attempt: (index: number) => Promise<{ outcome: string } | undefined>,
  ): Promise<number> {
    for (let index = 0; ; index += 1) if ((await attempt(index))?.outcome === 'refused') return index;
  }

  it('allows an address ten attempts at one password, and thirty in all', async () => {
    expect(await allowed(() => throttle.signIn(from('10.0.0.1'), EMAIL))).to.equal(10);
    const someone = (index: number) => throttle.signIn(from('10.0.0.2'), `someone${index}@example.com`);
    expect(await allowed(someone)).to.be.within(30, 31);
    expect(await throttle.link(from('10.0.0.2')), 'a link is counted together with them').to.include({
      code: 'rate_limited',
    });
    expect(await throttle.link(from('10.0.0.3'))).to.equal(undefined);
  });

  it('counts an IPv6 /64 as one address, however its addresses are written', async () => {
    const address = (index: number) =>
      index % 2 === 0 ? `2001:db8:1:0:${index}::1` : `2001:db8:1::${index}`;
    expect(await allowed((index) => throttle.link(from(address(index))))).to.be.within(30, 31);
  });

  it('allows an IPv6 /48 120 attempts, however many /64 it has', async () => {
    const address = (index: number) => `2001:db8:7:${index.toString(16)}::1`;
    expect(await allowed((index) => throttle.link(from(address(index))))).to.be.within(120, 122);
    expect(await throttle.link(from('2001:db8:8::1'))).to.equal(undefined);
  });

  it('allows 200 attempts at one password from all unknown browsers, and then still those of a session', async () => {
    const address = (index: number) => `10.${index >> 8}.${index & 255}.1`;
    expect(await allowed((index) => throttle.signIn(from(address(index)), EMAIL))).to.be.within(200, 202);
    expect(await throttle.signIn(from('10.9.9.9'), EMAIL)).to.include({ code: 'rate_limited' });
    expect(await throttle.signIn(from('10.9.9.9'), 'other@example.com')).to.include({ outcome: 'allowed' });
    expect(await allowed(() => throttle.session('ses_1'))).to.equal(10);
  });
});
