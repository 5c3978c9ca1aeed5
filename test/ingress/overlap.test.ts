import { createFoldedRefusals } from '@sluice/admission/folded-refusals';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { startIngress, type TestSource } from '../support/ingress.ts';
import { post, postUpsert } from '../support/post.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('ingress: an overlap of two signing secrets', () => {
  const ingress = use(() => startIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 10_000 } }));
  const redis = useRedisClient();

  const inAnHour = () => Date.now() + HOUR_MS;
  const redisTime = async () => {
    const [seconds, micros] = await redis.time();
    return Number(seconds) * 1000 + Number(micros) / 1000;
  };
  const actionsOf = async ({ sourceId }: TestSource) =>
    (await ingress.enqueuedActions()).filter(({ source_id }) => source_id === sourceId);
  const refusalsOf = async ({ sourceId }: TestSource) =>
    (await ingress.enqueuedRefusals()).filter(({ source_id }) => source_id === sourceId);

  it('accepts both secrets, and marks only requests with the old one', async () => {
    const old = await ingress.addSource();
    const current = await ingress.rotate(old, inAnHour());
    expect((await postUpsert(ingress.url, current)).status).to.equal(200);
    expect((await postUpsert(ingress.url, old)).status).to.equal(200);
    const stranger = await postUpsert(ingress.url, { ...old, secret: newSigningSecret() });
    expect(stranger.body.code).to.equal('signature_invalid');
    expect((await actionsOf(old)).map((action) => action.signed_with)).to.deep.equal([undefined, 'previous']);
    expect((await refusalsOf(old)).map((refusal) => refusal.signed_with)).to.deep.equal(['neither']);
  });

  it('rejects the old secret at once without an overlap, and names it in log and response', async () => {
    const old = await ingress.addSource();
    await postUpsert(ingress.url, old);
    await ingress.rotate(old, null);
    const answer = await postUpsert(ingress.url, old);
    expect(answer.body).to.include({ status: 401, code: 'signature_invalid' });
    expect(answer.body.detail).to.contain('secret that was rotated');
    const [refusal] = await refusalsOf(old);
    expect(refusal).to.include({
      code: 'signature_invalid',
      signed_with: 'previous',
      reason: answer.body.detail,
    });
  });

  it("ends at its time by Redis's clock: no later request is accepted with the old secret", async () => {
    const old = await ingress.addSource();
    const end = (await redisTime()) + 1500;
    const current = await ingress.rotate(old, end);
    const early: number[] = [];
    const send = async () => {
      const { status } = await postUpsert(ingress.url, old);
      const now = await redisTime();
      if (now < end) early.push(status);
      return now >= end;
    };
    await until(send, { what: 'the end of the overlap' });
    for (const status of early) expect(status).to.equal(200);
    const late = await Promise.all(Array.from({ length: 50 }, () => postUpsert(ingress.url, old)));
    expect(new Set(late.map(({ status }) => status))).to.deep.equal(new Set([401]));
    expect((await postUpsert(ingress.url, current)).status).to.equal(200);
  });

  it('is over for a source that is looked up after its end, also if Redis has lost the source', async () => {
    const old = await ingress.addSource();
    const current = await ingress.rotate(old, Date.now() - HOUR_MS);
    expect((await postUpsert(ingress.url, old)).status).to.equal(401);
    await redis.del(createKeyspace(ingress.namespace).source(old.sourceId));
    expect((await postUpsert(ingress.url, current)).status).to.equal(200);
    expect((await postUpsert(ingress.url, old)).status).to.equal(401);
  });

  it('ends with a second rotation: only the last two secrets are accepted', async () => {
    const first = await ingress.addSource();
    const second = await ingress.rotate(first, inAnHour());
    expect((await postUpsert(ingress.url, first)).status).to.equal(200);
    const third = await ingress.rotate(second, inAnHour());
    const statuses = [];
    for (const source of [first, second, third])
      statuses.push((await postUpsert(ingress.url, source)).status);
    expect(statuses).to.deep.equal([401, 200, 200]);
  });

  it('accepts no request for an inactive source', async () => {
    const old = await ingress.addSource();
    await ingress.rotate(old, inAnHour());
    await ingress.changeSource(old, { active: false });
    expect((await postUpsert(ingress.url, old)).body.code).to.equal('source_inactive');
  });

  it('rejects a duplicate with the old secret after the end', async () => {
    const old = await ingress.addSource();
    const end = (await redisTime()) + 1000;
    await ingress.rotate(old, end);
    const request = signed({ secret: old.secret, body: upsertBody() });
    await post(ingress.url + old.path, request);
    await until(async () => (await redisTime()) >= end, { what: 'the end of the overlap' });
    expect((await post(ingress.url + old.path, request)).status).to.equal(401);
  });

  it('counts rejected requests without a row by their secret', async () => {
    const old = await ingress.addSource();
    await ingress.rotate(old, null);
    const attempts = [];
    for (let i = 0; i < 130; i++) attempts.push(postUpsert(ingress.url, old));
    await Promise.all(attempts);
    const folded = createFoldedRefusals({ redis, keyspace: createKeyspace(ingress.namespace) });
    const counts = (await folded.read()).filter(({ source_id }) => source_id === old.sourceId);
    // There are two minutes if one ends meanwhile.
    for (const count of counts)
      expect(count).to.include({ code: 'signature_invalid', signed_with: 'previous' });
    const rows = (await refusalsOf(old)).length;
    expect(counts.reduce((sum, { count }) => sum + count, rows)).to.equal(130);
  });
});
