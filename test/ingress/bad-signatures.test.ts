import { createFoldedRefusals } from '@sluice/admission/folded-refusals';
import { createKeyspace } from '@sluice/shards/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startIngress, type TestIngress, type TestSource } from '../support/ingress.ts';
import { post, postUpsert } from '../support/post.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';

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

  it('beyond 100 a minute are counted by code instead of getting a row each, with the same response', async () => {
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

  it('from one address get 401 up to the limit, then 429 without a row each', async () => {
    await withinOneMinute();
    ingress = await startIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 40 } });
    const source = await ingress.addSource();
    const answers = await many(60, () => badlySigned(source));
    const codes = answers.map((answer) => answer.body.code);
    expect(codes.filter((code) => code === 'signature_invalid')).to.have.length(40);
    const limited = answers.filter(({ body }) => body.code === 'too_many_bad_signatures');
    expect(limited).to.have.length(20);
    // The next minute ends it.
    const left = 60 - (Math.floor(Date.now() / 1000) % 60);
    for (const { status, headers } of limited) {
      expect(status).to.equal(429);
      expect(Number(headers.get('retry-after'))).to.be.within(left, left + 4);
    }
    expect(await ingress.enqueuedRefusals(), 'rows').to.have.length(40);
  });

  for (const QUEUE_SHARDS of [1, 4])
    it(`do not block right signatures from the same address, with ${QUEUE_SHARDS} shards`, async () => {
      await withinOneMinute();
      ingress = await startIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 5, QUEUE_SHARDS } });
      const [wrong, right] = [await ingress.addSource(), await ingress.addSource()];
      const limited = async () => (await badlySigned(wrong)).status === 429;
      await until(limited, { what: 'the address is over its limit' });
      for (const source of [right, wrong])
        expect((await postUpsert(ingress.url, source)).status).to.equal(200);
      expect((await badlySigned(right)).status).to.equal(429);
    });

  it('do not block a sender whose secret was rotated while its address is over the limit', async () => {
    await withinOneMinute();
    ingress = await startIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 5 } });
    const source = await ingress.addSource();
    await many(10, () => badlySigned(source));
    expect((await badlySigned(source)).status).to.equal(429);
    const rotated = await ingress.rotate(source, null);
    expect((await postUpsert(ingress.url, rotated)).status).to.equal(200);
    expect((await postUpsert(ingress.url, source)).status).to.equal(429);
  });

  // This takes up to a minute, so `npm test` only has the address guard's test, with a controlled clock.
  const played = sized({ short: false, middle: true });
  const overTheTurn = async () => {
    ingress = await startIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 5, RATE_LIMIT_BURST: 100_000 } });
    const [wrong, right] = [await ingress.addSource(), await ingress.addSource()];
    const seen: { minute: number; status: number }[] = [];
    await until(async () => 60_000 - (Date.now() % 60_000) < 1_000, { withinMs: 61_000 });
    const end = Date.now() + 2_500;
    while (Date.now() < end) {
      const [bad, good] = await Promise.all([badlySigned(wrong), postUpsert(ingress.url, right)]);
      expect(good.status, 'a right signature').to.equal(200);
      seen.push({ minute: Math.floor(Date.now() / 60_000), status: bad.status });
    }
    const minutes = [...new Set(seen.map(({ minute }) => minute))];
    expect(minutes).to.have.length(2);
    for (const minute of minutes) {
      const statuses = seen.filter((one) => one.minute === minute).map(({ status }) => status);
      // A request that crosses the turn may be counted in either minute.
      expect(statuses.filter((status) => status === 401).length).to.be.within(4, 6);
      expect(statuses).to.include(429);
    }
  };
  if (played)
    it(
      'end a block with the minute they were counted in, and right signatures are accepted all along',
      overTheTurn,
    ).timeout(90_000);

  it('are limited by the address from a trusted proxy only', async () => {
    await withinOneMinute();
    ingress = await startIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 5, TRUST_PROXY: 1 } });
    const source = await ingress.addSource();
    const from = (address: string) => {
      const request = signed({ secret: 'whsec_wrong', body: upsertBody() });
      return post(ingress.url + source.path, {
        ...request,
        headers: { ...request.headers, 'x-forwarded-for': address },
      });
    };
    await many(10, () => from('203.0.113.7'));
    expect((await from('203.0.113.7')).status).to.equal(429);
    expect((await from('203.0.113.8')).status).to.equal(401);
  });

  it('do not count towards the rate of the source if they are unsigned', async () => {
    ingress = await startIngress();
    const source = await ingress.addSource({ rate_per_second: 1, rate_burst: 2 });
    await many(20, () => badlySigned(source));
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
  });
});
