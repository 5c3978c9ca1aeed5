import { createFoldedRefusals } from '@sluice/admission/folded-refusals';
import { createKeyspace } from '@sluice/admission/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startIngress, type TestIngress, type TestSource } from '../support/ingress.ts';
import { post, postUpsert } from '../support/post.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';
import { signed, upsertBody } from '../support/signed.ts';

describe('ingress: floods of unsigned and badly signed requests', () => {
  let ingress: TestIngress;
  afterEach(() => ingress?.close());

  const badlySigned = (source: TestSource) =>
    post(ingress.url + source.path, signed({ secret: 'whsec_wrong', body: upsertBody() }));
  const many = <T>(count: number, send: () => Promise<T>) => Promise.all(Array.from({ length: count }, send));

  /** A minute of Redis's clock that has begun long enough ago, or has long enough to go, for a whole test. */
  async function withinOneMinute(): Promise<void> {
    const left = 60_000 - (Date.now() % 60_000);
    if (left < 5_000) await new Promise((resolve) => setTimeout(resolve, left + 50));
  }

  it('beyond 100 a minute get no rows of their own but are counted, by code, and are answered all the same', async () => {
    await withinOneMinute();
    ingress = await startIngress();
    const source = await ingress.addSource();
    const bad = await many(150, () => badlySigned(source));
    const unsigned = await many(30, () =>
      post(ingress.url + source.path, {
        headers: { 'content-type': 'application/json' },
        body: Buffer.from('{}'),
      }),
    );
    expect(bad.every((answer) => answer.body.code === 'signature_invalid')).to.equal(true);
    expect(unsigned.every((answer) => answer.body.code === 'signature_missing')).to.equal(true);
    const redis = new Redis(sharedRedisUrl());
    const counts = await createFoldedRefusals({ redis, keyspace: createKeyspace(ingress.namespace) }).read();
    redis.disconnect();
    expect(await ingress.enqueuedRefusals()).to.have.length(100);
    expect(counts.map(({ code, count }) => ({ code, count }))).to.have.deep.members([
      { code: 'signature_invalid', count: 50 },
      { code: 'signature_missing', count: 30 },
    ]);
    expect(counts[0]).to.include({ source_id: source.sourceId, account_id: source.accountId, ended: false });
  });

  it('from one address are 429 after the limit, before a hash is spent; exactly the limit gets 401', async () => {
    await withinOneMinute();
    ingress = await startIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 40 } });
    const source = await ingress.addSource();
    const answers = await many(60, () => badlySigned(source));
    const codes = answers.map((answer) => answer.body.code);
    expect(codes.filter((code) => code === 'signature_invalid')).to.have.length(40);
    expect(codes.filter((code) => code === 'too_many_bad_signatures')).to.have.length(20);
    const good = await postUpsert(ingress.url, source);
    expect(good.status).to.equal(429);
    // The next minute lifts it.
    const left = 60 - (Math.floor(Date.now() / 1000) % 60);
    expect(Number(good.headers.get('retry-after'))).to.be.within(left, left + 4);
  });

  it('are limited by the address that a trusted proxy names, and by no other', async () => {
    await withinOneMinute();
    ingress = await startIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 5, TRUST_PROXY: 1 } });
    const source = await ingress.addSource();
    const from = (address: string, secret = 'whsec_wrong') => {
      const request = signed({ secret, body: upsertBody() });
      return post(ingress.url + source.path, {
        ...request,
        headers: { ...request.headers, 'x-forwarded-for': address },
      });
    };
    await many(10, () => from('203.0.113.7'));
    expect((await from('203.0.113.7', source.secret)).status).to.equal(429);
    expect((await from('203.0.113.8', source.secret)).status).to.equal(200);
  });

  it('unsigned ones do not use up the rate of the source', async () => {
    ingress = await startIngress();
    const source = await ingress.addSource({ rate_per_second: 1, rate_burst: 2 });
    await many(20, () => badlySigned(source));
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
  });
});
