import { createSourceDirectory } from '@sluice/admission/source-directory';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { startIngress } from '../support/ingress.ts';
import { post, postUpsert } from '../support/post.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { timed } from '../support/timed.ts';
import { use } from '../support/use.ts';

describe('ingress: a stale cached source', () => {
  const ingress = use(startIngress);
  const redis = useRedisClient();

  it('accepts or rejects requests during a rotation, and accepts none with the old secret after it', async () => {
    const source = await ingress.addSource();
    const early = Array.from({ length: 50 }, () => postUpsert(ingress.url, source));
    await ingress.changeSource(source, { secret: newSigningSecret() });
    const late = await Promise.all(Array.from({ length: 50 }, () => postUpsert(ingress.url, source)));
    // On a busy machine Redis may be late, which is a 503.
    expect(late.map(({ status }) => status)).to.include(401);
    for (const { status } of late) expect(status).to.be.oneOf([401, 503]);
    // A slow machine may respond with 503 to one of so many, which is a rejection too.
    for (const answer of await Promise.all(early)) expect(answer.status).to.be.oneOf([200, 401, 503]);
  });

  it('makes a request wait during a change, and responds with 503 if the change does not end', async () => {
    const source = await ingress.addSource();
    await postUpsert(ingress.url, source);
    const directory = createSourceDirectory({ redis, keyspace: createKeyspace(ingress.namespace) });
    const before = await directory.read(source.sourceId);
    if (before.state !== 'published') throw new Error(before.state);
    const fence = await directory.fence(source.sourceId);
    const { result: answer, ms } = await timed(() => postUpsert(ingress.url, source));
    expect(answer.body.code).to.equal('unavailable');
    expect(ms).to.be.below(1500);
    const waiting = postUpsert(ingress.url, source);
    await directory.publish({ ...before.record, version: before.record.version + 1 }, fence);
    expect((await waiting).status).to.equal(200);
  });

  it('reads a source that Redis has lost from the store', async () => {
    const source = await ingress.addSource();
    await postUpsert(ingress.url, source);
    await redis.del(createKeyspace(ingress.namespace).source(source.sourceId));
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
  });

  it('keeps sequence numbers rising after Redis has lost the last one', async () => {
    const source = await ingress.addSource();
    const sequences: number[] = [];
    for (let i = 0; i < 3; i++) {
      const answer = await post(
        ingress.url + source.path,
        signed({ secret: source.secret, body: upsertBody() }),
      );
      expect(answer.status).to.equal(200);
      await redis.del(createKeyspace(ingress.namespace).source(source.sourceId));
    }
    for (const row of await ingress.enqueuedActions())
      if (row.source_id === source.sourceId) sequences.push(row.sequence);
    expect(sequences).to.deep.equal([...sequences].sort((a, b) => a - b));
    expect(new Set(sequences)).to.have.length(3);
  });
});
