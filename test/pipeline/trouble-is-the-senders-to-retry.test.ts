import { expect } from 'chai';
import { type Load, startLoad } from '../faults/support/load.ts';
import { expectPromised, type Outage, outage, worstOf } from '../faults/support/outage.ts';
import { report } from '../faults/support/report.ts';
import { residentMiB } from '../faults/support/resident-memory.ts';
import { expectWhole, inWords, verdictOn } from '../faults/support/whole.ts';
import type { TestSource } from '../support/ingress.ts';
import { isWarning } from '../support/is-warning.ts';
import type { MongoProcess } from '../support/mongo-process.ts';
import { usePipeline } from '../support/pipeline.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { LONG, sized } from '../support/size.ts';

const PER_SECOND = sized({ short: 50, middle: 100 });
/** How long a store is unavailable, in requests. */
const REDIS_AWAY = sized({ short: 2, middle: 3, long: 30 }) * PER_SECOND;
const MONGODB_AWAY = sized({ short: 2, middle: 3, long: 300 }) * PER_SECOND;
/** In the long form several times longer than a worker waits for a response. */
const MONGODB_FROZEN = sized({ short: 2, middle: 3, long: 90 }) * PER_SECOND;

/** The promises to senders, in milliseconds. */
const ANSWERED_WITHIN = 1500;
const ACCEPTED_AGAIN_WITHIN = 2000;
/** The most that a heap may grow after warming up. Half a minute of 503s would cost more if any of them were kept. */
const MOST_GROWTH_MIB = 64;
/** Log lines of a waiting worker: one per change, never a hot loop. */
const MOST_WARNINGS_A_SECOND = 10;

/** Guarantee 6: if a store fails, the sender gets a 503 within 1.5 seconds and retries. Nothing is lost silently. */
describe('guarantee 6: failures are reported to the sender, who retries', function () {
  this.timeout(LONG ? 900_000 : 240_000);
  const pipeline = usePipeline({ ingress: 1, workers: 2 });
  let source: TestSource;
  let load: Load;
  beforeEach(async () => {
    source = await pipeline.addSource();
    load = startLoad({ urls: pipeline.urls, source, perSecond: PER_SECOND });
    await load.sent(PER_SECOND);
  });
  afterEach(() => load?.stop());

  const killRedis = () => pipeline.redis.kill();
  const restartRedis = () => pipeline.redis.restart();
  const memory = () => residentMiB(pipeline.ingresses.at(-1) as ServiceProcess);
  const warnings = () => pipeline.workers.map(({ log }) => log.filter(isWarning).length);

  /** Judges the whole load, and that each request sent during the outage got this status. */
  async function expectNothingLost({ during, firstAcceptMs }: Outage, status: number): Promise<void> {
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    report(
      `${during.length} responses meanwhile, the slowest ${worstOf(tries).toFixed(0)} ms; ` +
        `accepting after ${firstAcceptMs.toFixed(0)} ms; ${inWords(verdict)}`,
    );
    expectWhole(verdict);
    expectPromised(worstOf(tries), ANSWERED_WITHIN);
    // A busy machine sends fewer than it should.
    expect(during.length).to.be.at.least(3);
    const statuses = new Set(during.map(({ answer }) => answer?.status));
    expect(statuses).to.include(status);
    // On a busy machine any request may get a 503.
    expect([...statuses].filter((one) => one !== status && (LONG || one !== 503))).to.deep.equal([]);
    for (const { answer } of during)
      if (answer?.status === 503) expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1);
    expect((await pipeline.queued()).failed, 'BullMQ gives up no group').to.equal(0);
  }

  /** The promises to senders while Redis is unavailable, for any cause. */
  async function expectRefusals(begin: () => unknown, end: () => unknown) {
    const before = await memory();
    let grown = 0;
    const growing = async () => {
      grown = (await memory()) - before;
      await end();
    };
    const seen = await outage({ load, requests: REDIS_AWAY, begin, end: growing });
    await expectNothingLost(seen, 503);
    expectPromised(seen.firstAcceptMs, ACCEPTED_AGAIN_WITHIN);
    expect(grown).to.be.below(MOST_GROWTH_MIB);
  }

  it('rejects with 503 while Redis is killed, and accepts once it is back', () =>
    expectRefusals(killRedis, restartRedis));

  it('rejects with 503 while Redis is frozen: some of these may have taken effect, and nothing is lost', () =>
    expectRefusals(
      () => pipeline.redis.freeze(),
      () => pipeline.redis.thaw(),
    ));

  /** The promises to senders while MongoDB is unavailable, for any cause. */
  async function expectNothingNoticed(
    requests: number,
    ways: (mongo: MongoProcess) => { readonly begin: () => unknown; readonly end: () => unknown },
  ): Promise<void> {
    const { mongo } = pipeline;
    // Another engine is not ours to kill. The same suite's first run kills the embedded store.
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    const [since, before] = [performance.now(), warnings()];
    const seen = await outage({ load, requests, ...ways(mongo) });
    const seconds = (performance.now() - since) / 1000;
    const each = warnings().map((count, worker) => (count - (before[worker] ?? 0)) / seconds);
    await expectNothingLost(seen, 200);
    expect(Math.max(...each)).to.be.below(MOST_WARNINGS_A_SECOND);
    const rows = await pipeline.deliveries(source);
    expect(rows.every(({ outcome }) => outcome !== 'failed')).to.equal(true);
  }

  it('accepts while MongoDB is stopped, and applies everything once it is back', () =>
    expectNothingNoticed(MONGODB_AWAY, (mongo) => ({
      begin: () => mongo.kill(),
      end: () => mongo.restart(),
    })));

  it('accepts while MongoDB is frozen, and a write that is sent twice has one effect', () =>
    expectNothingNoticed(MONGODB_FROZEN, (mongo) => ({
      begin: () => mongo.freeze(),
      end: () => mongo.thaw(),
    })));

  it('starts without Redis and MongoDB: rejects with 503, and works once they are there', async () => {
    await load.stop();
    // The only load is the one whose first request meets no Redis.
    source = await pipeline.addSource();
    await Promise.all([killRedis(), pipeline.mongo?.kill()]);
    for (const service of [...pipeline.ingresses, ...pipeline.workers.splice(0)])
      await service.kill('SIGKILL');
    const url = await pipeline.addIngress({}, 'listening');
    pipeline.urls.splice(0, pipeline.urls.length, url);
    pipeline.addWorker();
    load = startLoad({ urls: pipeline.urls, source, perSecond: PER_SECOND, salt: 1 });
    const end = () => Promise.all([restartRedis(), pipeline.mongo?.restart()]);
    const seen = await outage({ load, requests: REDIS_AWAY, begin: () => load.sent(1), end });
    await load.sent(PER_SECOND);
    await expectNothingLost(seen, 503);
  });
});
