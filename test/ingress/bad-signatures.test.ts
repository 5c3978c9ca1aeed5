import { createFoldedRefusals } from '@sluice/admission/folded-refusals';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startIngress, type TestIngress, type TestSource } from '../support/ingress.ts';
import { post, postUpsert } from '../support/post.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';

/** The rest of this minute, rounded up. */
const secondsLeft = () => Math.ceil((60_000 - (Date.now() % 60_000)) / 1000);

/** More than a test takes on a busy machine. */
const TEST_SECONDS = 20;

/** Redis counts by the minutes of its clock, so a test that counts begins with enough of a minute left. */
function itWithinAMinute(behaviour: string, run: () => Promise<void>): void {
  it(behaviour, async () => {
    await until(() => secondsLeft() > TEST_SECONDS, { withinMs: 60_000 });
    await run();
  });
}

describe('ingress: floods of unsigned and badly signed requests', () => {
  let ingress: TestIngress;
  afterEach(() => ingress?.close());

  const badlySigned = (source: TestSource) =>
    post(ingress.url + source.path, signed({ secret: 'whsec_wrong', body: upsertBody() }));
  /** Ten at a time: on a busy machine, Redis has not answered more of them within its second. */
  const many = async <T>(count: number, send: () => Promise<T>): Promise<T[]> => {
    const answers: T[] = [];
    while (answers.length < count) answers.push(...(await Promise.all(Array.from({ length: 10 }, send))));
    return answers;
  };

  before(
    'one request: the first response compiles its schema, and meanwhile Redis would be late',
    async () => {
      ingress = await startIngress();
      await badlySigned(await ingress.addSource());
      await ingress.close();
    },
  );

  itWithinAMinute(
    'beyond 100 a minute are counted by code instead of getting a row each, with the same response',
    async () => {
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
      const counts = await createFoldedRefusals({
        redis,
        keyspace: createKeyspace(ingress.namespace),
      }).read();
      redis.disconnect();
      expect(await ingress.enqueuedRefusals()).to.have.length(100);
      expect(counts.map(({ code, count }) => ({ code, count }))).to.have.deep.members([
        { code: 'signature_invalid', count: 50 },
        { code: 'signature_missing', count: 30 },
      ]);
      expect(counts[0]).to.include({
        source_id: source.sourceId,
        account_id: source.accountId,
        ended: false,
      });
    },
  );

  itWithinAMinute('from one address get 401 up to the limit, then 429 without a row each', async () => {
    ingress = await startIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 40 } });
    const source = await ingress.addSource();
    const leftAtFirst = secondsLeft();
    const answers = await many(60, () => badlySigned(source));
    const codes = answers.map((answer) => answer.body.code);
    expect(codes.filter((code) => code === 'signature_invalid')).to.have.length(40);
    const limited = answers.filter(({ body }) => body.code === 'too_many_bad_signatures');
    expect(limited).to.have.length(20);
    // The next minute ends it.
    const leftAtLast = secondsLeft();
    for (const { status, headers } of limited) {
      expect(status).to.equal(429);
      expect(Number(headers.get('retry-after'))).to.be.within(leftAtLast, leftAtFirst);
    }
    expect(await ingress.enqueuedRefusals(), 'rows').to.have.length(40);
  });

  itWithinAMinute('do not block right signatures from the same address', async () => {
    ingress = await startIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 5 } });
    const [wrong, right] = [await ingress.addSource(), await ingress.addSource()];
    const limited = async () => (await badlySigned(wrong)).status === 429;
    await until(limited, { what: 'the address is over its limit' });
    for (const source of [right, wrong]) expect((await postUpsert(ingress.url, source)).status).to.equal(200);
    expect((await badlySigned(right)).status).to.equal(429);
  });

  itWithinAMinute(
    'do not block a sender whose secret was rotated while its address is over the limit',
    async () => {
      ingress = await startIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 5 } });
      const source = await ingress.addSource();
      await many(10, () => badlySigned(source));
      expect((await badlySigned(source)).status).to.equal(429);
      const rotated = await ingress.rotate(source, null);
      expect((await postUpsert(ingress.url, rotated)).status).to.equal(200);
      expect((await postUpsert(ingress.url, source)).status).to.equal(429);
    },
  );

  itWithinAMinute('are limited by the address from a trusted proxy only', async () => {
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
