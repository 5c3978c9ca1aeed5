import { expect } from 'chai';
import { usePipeline } from '../support/pipeline.ts';
import { postUpsert } from '../support/post.ts';
import { sized } from '../support/size.ts';

/** An ingress under load on a busy machine may respond too late with its 401. Then it sends a 503. */
const REFUSED = [401, 503];

const ROTATIONS = sized({ short: 5, middle: 100 });
const OVERLAPS = sized({ short: 2, middle: 20 });
/** Requests of each of eight senders under load. */
const UNDER_LOAD = sized({ short: 40, middle: 150 });
const SWITCHES = sized({ short: 4, middle: 50 });

/** Guarantee 4: a change by an admin applies to the very next request on every replica. Not eventually: always. */
describe('guarantee 4: revoked means revoked', function () {
  this.timeout(240_000);
  const pipeline = usePipeline({ ingress: 2, workers: 1 });

  const onEvery = (source: Parameters<typeof postUpsert>[1]) =>
    Promise.all(pipeline.urls.map((url) => postUpsert(url, source)));

  it(`rejects the next request with a rotated secret on each of two replicas, ${ROTATIONS} times`, async () => {
    let source = await pipeline.addSource();
    for (let i = 0; i < ROTATIONS; i++) {
      const old = source;
      expect((await onEvery(old)).map((answer) => answer.status)).to.deep.equal([200, 200]);
      source = await pipeline.rotateSecret(old);
      expect((await onEvery(old)).map((answer) => answer.body.code)).to.deep.equal([
        'signature_invalid',
        'signature_invalid',
      ]);
    }
    expect((await onEvery(source)).map((answer) => answer.status)).to.deep.equal([200, 200]);
  });

  it(`rejects the next request with the old secret after an overlap was ended, on each of two replicas, ${OVERLAPS} times`, async () => {
    let source = await pipeline.addSource();
    for (let i = 0; i < OVERLAPS; i++) {
      const old = source;
      source = await pipeline.rotateSecret(old, Date.now() + 1_800_000);
      expect((await onEvery(old)).map((answer) => answer.status)).to.deep.equal([200, 200]);
      await pipeline.endOverlap(old);
      expect((await onEvery(old)).map((answer) => answer.status)).to.deep.equal([401, 401]);
    }
    expect((await onEvery(source)).map((answer) => answer.status)).to.deep.equal([200, 200]);
  });

  it('rejects each request that starts after an overlap expired, under load, on both replicas', async () => {
    const old = await pipeline.addSource();
    const end = Date.now() + 2000;
    const current = await pipeline.rotateSecret(old, end);
    const late: number[] = [];
    const sender = async (url: string) => {
      for (let after = 0; after < 20; ) {
        const started = Date.now();
        const { status } = await postUpsert(url, old);
        if (started < end) continue;
        late.push(status);
        after += 1;
      }
    };
    await Promise.all([...pipeline.urls, ...pipeline.urls].map(sender));
    expect(late.filter((status) => !REFUSED.includes(status))).to.be.empty;
    expect(late).to.include(401);
    expect((await onEvery(current)).map((answer) => answer.status)).to.deep.equal([200, 200]);
  });

  it(`applies a switch of a source, off or on, to the next request on each of two replicas, ${SWITCHES} times`, async () => {
    const source = await pipeline.addSource();
    for (let i = 0; i < SWITCHES; i++) {
      await pipeline.setActive(source, false);
      expect((await onEvery(source)).map((answer) => answer.body.code)).to.deep.equal([
        'source_inactive',
        'source_inactive',
      ]);
      await pipeline.setActive(source, true);
      expect((await onEvery(source)).map((answer) => answer.status)).to.deep.equal([200, 200]);
    }
  });

  it('rejects each request with the old secret that starts after a rotation, under load', async () => {
    const old = await pipeline.addSource();
    let rotated = false;
    const statuses: { after: boolean; status: number }[] = [];
    const sender = async (url: string) => {
      for (let i = 0; i < UNDER_LOAD; i++) {
        const after = rotated;
        statuses.push({ after, status: (await postUpsert(url, old)).status });
      }
    };
    const load = Promise.all(
      [...pipeline.urls, ...pipeline.urls, ...pipeline.urls, ...pipeline.urls].map(sender),
    );
    await pipeline.logged(old, UNDER_LOAD);
    await pipeline.rotateSecret(old);
    rotated = true;
    await load;
    const refused = statuses.filter(({ after }) => after).map(({ status }) => status);
    expect(refused.filter((status) => !REFUSED.includes(status))).to.be.empty;
    expect(refused).to.include(401);
    expect(statuses.filter(({ status }) => ![200, ...REFUSED].includes(status))).to.be.empty;
  });

  it('rejects the next upsert over a lowered plan with 403', async () => {
    const source = await pipeline.addSource();
    for (let i = 0; i < 5; i++) await onEvery(source);
    await pipeline.setPlan(source, 'free');
    expect((await onEvery(source)).map((answer) => answer.body.code)).to.deep.equal([
      'plan_limit_reached',
      'plan_limit_reached',
    ]);
    await pipeline.setPlan(source, 'unlimited');
    expect((await onEvery(source)).map((answer) => answer.status)).to.deep.equal([200, 200]);
  });
});
