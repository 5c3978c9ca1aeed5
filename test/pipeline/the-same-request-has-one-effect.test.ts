import type { Delivery } from '@sluice/contract/delivery/delivery';
import { expect } from 'chai';
import { usePipeline } from '../support/pipeline.ts';
import { post, postTo, postUntilTaken } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';

/** They are all sent at once while their ingress is killed. */
const REQUESTS = 150;

/** Guarantee 3: a byte-identical signed request gets the same sequence number and changes nothing. */
describe('guarantee 3: the same request has one effect', function () {
  this.timeout(240_000);
  const pipeline = usePipeline({ ingress: 2, workers: 2 });

  function expectOneEffect(rows: readonly Delivery[], outcome = 'created') {
    const effects = rows.filter((row) => row.outcome !== 'duplicate');
    expect(effects.map((row) => row.outcome)).to.deep.equal([outcome]);
    expect(effects[0]?.duplicate_of).to.equal(null);
    for (const row of rows) {
      expect(row.sequence).to.equal(effects[0]?.sequence);
      if (row.outcome === 'duplicate') expect(row.duplicate_of).to.equal(effects[0]?.delivery_id);
    }
  }

  it('if it is sent forty times at once to two replicas', async () => {
    const source = await pipeline.addSource();
    const request = signed({ secret: source.secret, body: upsertBody() });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => post(pipeline.urls[i % 2] + source.path, request)),
    );
    expect(answers.every((answer) => answer.status === 200)).to.equal(true);
    expect(answers.filter((answer) => answer.body.duplicate === true)).to.have.length(39);
    expectOneEffect(await pipeline.logged(source, 40));
    expect(await pipeline.events(source)).to.have.length(1);
  });

  it('a repeated old upsert does not restore a deleted event', async () => {
    const source = await pipeline.addSource();
    const body = upsertBody();
    const upsert = signed({ secret: source.secret, body });
    await post(pipeline.urls[0] + source.path, upsert);
    await postTo(pipeline.urls[1] as string, source, { ...body, action: 'delete' });
    const again = await post(pipeline.urls[1] + source.path, upsert);
    expect(again.body.duplicate).to.equal(true);
    const rows = await pipeline.logged(source, 3);
    expect(rows.filter((row) => row.outcome === 'duplicate').map((row) => row.delivery_id)).to.deep.equal([
      again.body.delivery_id,
    ]);
    expect(await pipeline.events(source)).to.be.empty;
  });

  it('if it is sent again after its ingress was killed at any moment: the event exists once', async () => {
    const source = await pipeline.addSource();
    const requests = Array.from({ length: REQUESTS }, () =>
      signed({ secret: source.secret, body: upsertBody() }),
    );
    // All are sent at once, and the replica is killed meanwhile: some are admitted and never enqueued.
    const first = requests.map((request) =>
      post(pipeline.urls[0] + source.path, request).catch(() => undefined),
    );
    await Promise.race(first);
    await pipeline.ingresses[0]?.kill('SIGKILL');
    const tried = await Promise.all(first);
    const again = await Promise.all(
      requests.map((request) => postUntilTaken(pipeline.urls[1] + source.path, request)),
    );
    expect(tried.some((answer) => answer === undefined)).to.equal(true);
    expect(again.every((answer) => answer.status === 200)).to.equal(true);
    // Requests that were enqueued but never answered have rows too. So the test compares delivery ids, not the number
    // of rows.
    const wanted = again.map((answer) => answer.body.delivery_id as string);
    await until(async () => {
      const there = new Set((await pipeline.deliveries(source)).map((row) => row.delivery_id));
      return wanted.every((id) => there.has(id));
    });
    const rows = await pipeline.deliveries(source);
    expect(await pipeline.events(source)).to.have.length(REQUESTS);
    expect(new Set(rows.map((row) => row.sequence)).size).to.equal(REQUESTS);
  });
});
