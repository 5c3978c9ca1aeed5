import { expect } from 'chai';
import { type Load, startLoad, type Try } from '../faults/support/load.ts';
import { atMostMs } from '../faults/support/machine-lag.ts';
import { ACCEPTED_AGAIN_WITHIN, type Outage, outage, worstOf } from '../faults/support/outage.ts';
import { tell } from '../faults/support/report.ts';
import { residentMiB } from '../faults/support/resident-memory.ts';
import { expectWhole, inWords, verdictOn } from '../faults/support/whole.ts';
import type { TestSource } from '../support/ingress.ts';
import { isWarning } from '../support/is-warning.ts';
import { WAITED_MS } from '../support/machine-late.ts';
import type { MongoProcess } from '../support/mongo-process.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { sized } from '../support/size.ts';

const PER_SECOND = 100;
/** How long Redis is away, in requests. */
const REDIS_AWAY = sized({ short: 3, long: 30 }) * PER_SECOND;
const MONGODB_AWAY = sized({ short: 3, long: 300 }) * PER_SECOND;
/** In the long form longer than a worker waits for an answer, several times. */
const MONGODB_FROZEN = sized({ short: 3, long: 90 }) * PER_SECOND;

/** Promised to senders. Milliseconds. */
const ANSWERED_WITHIN = 1500;
/** What a heap may grow by from warming up; 503s for half a minute would cost more if any of them were kept. */
const MOST_GROWTH_MIB = 64;
/** Log lines of a worker that waits: one a change, and never a hot loop. */
const MOST_WARNINGS_A_SECOND = 10;

/** Guarantee 6. Trouble is the sender's to retry, never silent, and answered within 1.5 seconds. */
describe("guarantee 6: trouble is the sender's to retry, never silent", function () {
  this.timeout(sized({ short: 240_000, long: 900_000 }));
  let pipeline: Pipeline;
  let source: TestSource;
  let load: Load;
  beforeEach(async () => {
    pipeline = await startPipeline({ ingress: 1, workers: 2 });
    source = await pipeline.addSource();
    load = startLoad({ urls: pipeline.urls, source, perSecond: PER_SECOND });
    await load.sent(PER_SECOND);
  });
  afterEach(async () => {
    await load?.stop();
    await pipeline?.stop();
  });

  const killRedis = () => pipeline.redis.kill();
  const restartRedis = () => pipeline.redis.restart();

  /** Judges the whole load, and says so in the report. The load has ended then: whoever waited longest is known. */
  async function expectNothingLost(
    done: string,
    asked: string,
    seen: Outage,
    besides: readonly string[] = [],
  ): Promise<void> {
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    const answers = inNumbers(seen, worstOf(tries));
    tell({
      test: 'trouble is the sender’s to retry',
      done,
      times: 1,
      asked,
      seen: `${[answers, ...besides].join(', ')}; ${inWords(verdict)}`,
    });
    expectWhole(verdict);
    expect(worstOf(tries)).to.be.below(atMostMs(ANSWERED_WITHIN, seen.lagMs));
    expect((await pipeline.queued()).failed, 'BullMQ gives nothing up').to.equal(0);
  }

  /** What senders are promised while Redis is away, whatever the way. */
  async function expectRefusals(done: string, begin: () => unknown, end: () => unknown) {
    const before = await residentMiB(pipeline.ingresses[0] as ServiceProcess);
    let grown = 0;
    const seen = await outage({
      load,
      requests: REDIS_AWAY,
      begin,
      end: async () => {
        grown = (await residentMiB(pipeline.ingresses[0] as ServiceProcess)) - before;
        await end();
      },
    });
    await expectNothingLost(
      `${done} for ${REDIS_AWAY / PER_SECOND} s`,
      '503 within 1.5 s, memory flat, accepting within 2 s, nothing lost',
      seen,
      [`memory ${grown < 0 ? '' : '+'}${grown.toFixed(0)} MiB`],
    );
    expectAnswers(seen, 503);
    expect(seen.firstAcceptMs).to.be.below(atMostMs(ACCEPTED_AGAIN_WITHIN, seen.lagMs));
    expect(grown).to.be.below(MOST_GROWTH_MIB);
  }

  it('Redis killed, then back', () => expectRefusals('Redis gone', killRedis, restartRedis));

  it('Redis frozen, then thawed: what was answered 503 may have happened, but nothing is lost', () =>
    expectRefusals(
      'Redis frozen',
      () => pipeline.redis.freeze(),
      () => pipeline.redis.thaw(),
    ));

  it('Redis and MongoDB away together', async () => {
    const { mongo } = pipeline;
    // The other engine is not ours to kill; the embedded store is, in the same suite's first run.
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    await expectRefusals(
      'Redis and MongoDB gone',
      () => Promise.all([killRedis(), mongo.kill()]),
      () => Promise.all([restartRedis(), mongo.restart()]),
    );
  });

  it('Redis absent when ingress and worker start: 503 at once, and both work once it is there', async () => {
    await load.stop();
    // Its only load is the one whose first request meets no Redis.
    source = await pipeline.addSource();
    await killRedis();
    for (const service of [...pipeline.ingresses, ...pipeline.workers]) await service.kill('SIGKILL');
    const url = await pipeline.addIngress({}, 'listening');
    pipeline.urls.splice(0, pipeline.urls.length, url);
    const started = [pipeline.ingresses.at(-1) as ServiceProcess, pipeline.addWorker(), pipeline.addWorker()];
    load = startLoad({ urls: pipeline.urls, source, perSecond: PER_SECOND, salt: 1 });
    const seen = await outage({ load, requests: REDIS_AWAY, begin: () => load.sent(1), end: restartRedis });
    await Promise.all(started.map((service) => service.ready()));
    await load.sent(PER_SECOND);
    await expectNothingLost(
      `Redis absent at start for ${REDIS_AWAY / PER_SECOND} s`,
      '503 within 1.5 s, both recover without a restart, nothing lost',
      seen,
    );
    expectAnswers(seen, 503);
    expect(seen.firstAcceptMs).to.be.below(atMostMs(ACCEPTED_AGAIN_WITHIN, seen.lagMs));
  });

  /** What senders are promised while MongoDB is away, whatever the way. */
  async function expectNothingNoticed(
    done: string,
    requests: number,
    ways: (mongo: MongoProcess) => { readonly begin: () => unknown; readonly end: () => unknown },
  ): Promise<void> {
    const { mongo } = pipeline;
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    const since = performance.now();
    const seen = await outage({ load, requests, ...ways(mongo) });
    const seconds = (performance.now() - since) / 1000;
    const warnings = pipeline.workers.map(({ log }) => log.filter(isWarning).length / seconds);
    await expectNothingLost(
      `${done} for ${requests / PER_SECOND} s`,
      'senders notice nothing, the backlog drains, no attempt burnt, under 10 warnings/s a worker',
      seen,
      [`${Math.max(...warnings).toFixed(1)} warnings/s`],
    );
    expectAnswers(seen, 200);
    expect(Math.max(...warnings)).to.be.below(MOST_WARNINGS_A_SECOND);
    const rows = await pipeline.deliveries(source);
    expect(rows.every(({ outcome }) => outcome !== 'failed')).to.equal(true);
  }

  it('MongoDB away: senders notice nothing, and what was accepted is applied when it is back', () =>
    expectNothingNoticed('MongoDB gone', MONGODB_AWAY, (mongo) => ({
      begin: () => mongo.kill(),
      end: () => mongo.restart(),
    })));

  it('MongoDB frozen, then thawed: senders notice nothing, and what it was asked twice has one effect', () =>
    expectNothingNoticed('MongoDB frozen', MONGODB_FROZEN, (mongo) => ({
      begin: () => mongo.freeze(),
      end: () => mongo.thaw(),
    })));
});

/** Whoever asked while it lasted had this answer, in time, and somebody did ask. */
function expectAnswers({ during, lagMs }: Outage, status: number): void {
  expect(during.length).to.be.above(PER_SECOND / 4);
  const others = during.map(statusOf).filter((seen) => seen !== status);
  expect(others.filter((seen) => seen !== 503)).to.deep.equal([]);
  // A disk that stalls for as long as Redis is waited for has refused whoever was being served then, and nobody else.
  const refusedByDisk = lagMs < WAITED_MS ? 0 : (PER_SECOND * lagMs) / 1000;
  expect(others.length, 'answers of 503').to.be.at.most(refusedByDisk);
  for (const { answer } of during)
    if (status === 503) expect(Number(answer?.headers.get('retry-after'))).to.be.at.least(1);
}

function inNumbers({ during, firstAcceptMs, lagMs }: Outage, worstMs: number): string {
  const statuses = [...new Set(during.map(statusOf))].join(', ');
  return `${during.length} answers meanwhile, all ${statuses}, the slowest ${worstMs.toFixed(0)} ms; accepting after ${firstAcceptMs.toFixed(0)} ms (the machine itself up to ${lagMs.toFixed(0)} ms late)`;
}

function statusOf({ answer }: Try): number | string {
  return answer?.status ?? 'unanswered';
}
