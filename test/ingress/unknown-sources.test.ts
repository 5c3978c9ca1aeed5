import { newId } from '@sluice/credentials/ids';
import { createStoreLook, IDS_IN_A_LOOK } from '@sluice/ingress/verify/store-look';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startIngress, type TestIngress } from '../support/ingress.ts';
import { post, postUpsert } from '../support/post.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';

const later = () => performance.now() + 10_000;
const many = (count: number) => Array.from({ length: count }, () => newId('src'));

describe('ingress: unknown ids of sources', () => {
  let ingress: TestIngress | undefined;
  afterEach(() => ingress?.close());

  it('are looked up in at most 50 queries a second, and a stored source is found among them', async () => {
    const looks: (readonly string[])[] = [];
    const isStored = createStoreLook({
      async existingSources(ids) {
        looks.push(ids);
        return new Set(ids.filter((id) => id === 'src_stored'));
      },
    });
    const made = many(3_000);
    const startedAt = performance.now();
    const ids = [...made, 'src_stored', ...many(1_000)];
    const result = await Promise.all(ids.map((id) => isStored(id, later())));
    const ms = performance.now() - startedAt;
    expect(result.filter((stored) => stored)).to.have.length(1);
    expect(result[made.length]).to.equal(true);
    expect(Math.max(...looks.map((ids) => ids.length))).to.be.at.most(IDS_IN_A_LOOK);
    // Timers are whole milliseconds, and so a little early.
    expect(looks.length).to.be.at.most(2 + ms / 18);
    expect(looks.length).to.equal(Math.ceil(4_001 / IDS_IN_A_LOOK));
  });

  it('cause an error if MongoDB does not respond, and are looked up again', async () => {
    let away = true;
    const isStored = createStoreLook({
      existingSources: async (ids) => {
        if (away) throw new Error('no server');
        return new Set(ids);
      },
    });
    const failed = await Promise.allSettled([isStored('src_1', later()), isStored('src_2', later())]);
    expect(failed.map((one) => one.status === 'rejected' && one.reason.message)).to.deep.equal([
      'no server',
      'no server',
    ]);
    away = false;
    expect(await isStored('src_1', later())).to.equal(true);
  });

  it('do not block a source that is not in Redis yet', async () => {
    const it_ = await startIngress();
    ingress = it_;
    const source = await it_.addSource();
    const redis = new Redis(sharedRedisUrl());
    await redis.del(createKeyspace(it_.namespace).source(source.sourceId));
    redis.disconnect();
    const unsigned = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
    const startedAt = performance.now();
    const flood = many(200).map((id) => post(`${it_.url}/api/v1/events/webhook/${id}`, unsigned));
    const honest = await postUpsert(it_.url, source);
    expect(honest.status).to.equal(200);
    for (const { status } of await Promise.all(flood)) expect(status).to.equal(404);
    const ms = performance.now() - startedAt;
    expect(it_.storeLooks.flat()).to.have.length(201);
    expect(it_.storeLooks.length, 'looks').to.be.at.most(2 + ms / 18);
  });
});
