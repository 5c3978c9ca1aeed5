import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { postUpsert } from '../support/post.ts';
import { timed } from '../support/timed.ts';
import { until } from '../support/until.ts';

/** Guarantee 6. Trouble is the sender's to retry, never silent, and answered within 1.5 seconds. */
describe("guarantee 6: trouble is the sender's to retry, never silent", function () {
  this.timeout(90_000);
  let pipeline: Pipeline;
  let source: TestSource;
  beforeEach(async () => {
    pipeline = await startPipeline({ ingress: 1, workers: 2 });
    source = await pipeline.addSource();
  });
  afterEach(() => pipeline.stop());

  const send = () => postUpsert(pipeline.urls[0] as string, source);

  async function expect503InTime() {
    const { result: answers, ms } = await timed(() => Promise.all(Array.from({ length: 20 }, send)));
    expect(ms).to.be.below(1500);
    for (const answer of answers) {
      expect(answer.body).to.include({ status: 503, code: 'unavailable' });
      expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1);
    }
  }

  async function expectRecovery(accepted: number) {
    await until(async () => (await send()).status === 200, { what: 'accepts again' });
    await pipeline.logged(source, accepted + 1);
  }

  it('Redis killed, then back', async () => {
    expect((await send()).status).to.equal(200);
    await pipeline.redis.kill();
    await expect503InTime();
    await pipeline.redis.restart();
    await expectRecovery(1);
  });

  it('Redis frozen, then thawed: what was answered 503 may have happened, but nothing is lost', async () => {
    expect((await send()).status).to.equal(200);
    pipeline.redis.freeze();
    await expect503InTime();
    await expect503InTime();
    pipeline.redis.thaw();
    await expectRecovery(1);
  });

  it('Redis absent when the ingress starts: 503 at once, and 200 once it is there', async () => {
    await pipeline.redis.kill();
    const ingress = pipeline.addIngress();
    await until(
      () => pipeline.ingresses.at(-1)?.log.some((line) => line.event === 'ingress.listening') === true,
    );
    const url = pipeline.ingresses.at(-1)?.log.find((line) => line.event === 'ingress.listening')
      ?.url as string;
    expect((await postUpsert(url, source)).status).to.equal(503);
    await pipeline.redis.restart();
    await ingress;
    await until(async () => (await postUpsert(url, source)).status === 200);
  });

  it('MongoDB away: senders notice nothing, and what was accepted is applied when it is back', async () => {
    const { mongo } = pipeline;
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    expect((await send()).status).to.equal(200);
    await mongo.kill();
    const answers = await Promise.all(Array.from({ length: 50 }, send));
    expect(answers.every((answer) => answer.status === 200)).to.equal(true);
    await mongo.restart();
    const rows = await pipeline.logged(source, 51);
    expect(rows.every((row) => row.outcome === 'created')).to.equal(true);
  });

  it('a graceful stop answers what is under way and loses nothing', async () => {
    const load = Promise.all(Array.from({ length: 200 }, () => send().catch(() => undefined)));
    await pipeline.logged(source, 1);
    const stops = [...pipeline.ingresses, ...pipeline.workers].map((service) => service.kill('SIGTERM'));
    const answers = await load;
    await Promise.all(stops);
    for (const service of [...pipeline.ingresses, ...pipeline.workers])
      expect(service.ended(), JSON.stringify(service.log.slice(-8), null, 1)).to.equal(0);
    const accepted = answers.filter((answer) => answer?.status === 200).length;
    pipeline.addWorker();
    const rows = await pipeline.logged(source, accepted);
    expect(rows.filter((row) => row.http_status === 200).length).to.be.at.least(accepted);
  });
});
