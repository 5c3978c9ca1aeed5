import { expect } from 'chai';
import { type Load, startLoad, type Try } from '../faults/support/load.ts';
import { atMostMs } from '../faults/support/machine-lag.ts';
import { ACCEPTED_AGAIN_WITHIN, type Outage, outage, worstOf } from '../faults/support/outage.ts';
import { report } from '../faults/support/report.ts';
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
/** How long Redis is unavailable, in requests. */
const REDIS_AWAY = sized({ short: 3, long: 30 }) * PER_SECOND;
const MONGODB_AWAY = sized({ short: 3, long: 300 }) * PER_SECOND;
/** In the long form several times longer than a worker waits for a response. */
const MONGODB_FROZEN = sized({ short: 3, long: 90 }) * PER_SECOND;

/** The promise to senders, in milliseconds. */
const ANSWERED_WITHIN = 1500;
/** The most that a heap may grow after warming up. Half a minute of 503s would cost more if any of them were kept. */
const MOST_GROWTH_MIB = 64;
/** Log lines of a waiting worker: one per change, never a hot loop. */
const MOST_WARNINGS_A_SECOND = 10;

/** Guarantee 6: if a store fails, the sender gets a 503 within 1.5 seconds and retries. Nothing is lost silently. */
describe('guarantee 6: failures are reported to the sender, who retries', function () {
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

  /** Judges the whole load and adds it to the report. The load has ended by then, so the slowest response is known. */
  async function expectNothingLost(
    done: string,
    asked: string,
    seen: Outage,
    besides: readonly string[] = [],
  ): Promise<void> {
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    const answers = inNumbers(seen, worstOf(tries));
    report({
      test: 'trouble is the sender’s to retry',
      done,
      times: 1,
      asked,
      seen: `${[answers, ...besides].join(', ')}; ${inWords(verdict)}`,
    });
    expectWhole(verdict);
    expect(worstOf(tries)).to.be.below(atMostMs(ANSWERED_WITHIN, seen.lagMs));
    expect((await pipeline.queued()).failed, 'BullMQ gives up no group').to.equal(0);
  }

  /** The promises to senders while Redis is unavailable, for any cause. */
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

  it('rejects with 503 while Redis is killed, and accepts once it is back', () =>
    expectRefusals('Redis stopped', killRedis, restartRedis));

  it('rejects with 503 while Redis is frozen: some of these may have taken effect, and nothing is lost', () =>
    expectRefusals(
      'Redis frozen',
      () => pipeline.redis.freeze(),
      () => pipeline.redis.thaw(),
    ));

  it('rejects with 503 while Redis and MongoDB are both stopped', async () => {
    const { mongo } = pipeline;
    // Another engine is not ours to kill. The same suite's first run kills the embedded store.
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    await expectRefusals(
      'Redis and MongoDB stopped',
      () => Promise.all([killRedis(), mongo.kill()]),
      () => Promise.all([restartRedis(), mongo.restart()]),
    );
  });

  it('starts without Redis: rejects with 503 at once, and works once Redis is there', async () => {
    await load.stop();
    // The only load is the one whose first request meets no Redis.
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

  /** The promises to senders while MongoDB is unavailable, for any cause. */
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

  it('accepts while MongoDB is stopped, and applies everything once it is back', () =>
    expectNothingNoticed('MongoDB stopped', MONGODB_AWAY, (mongo) => ({
      begin: () => mongo.kill(),
      end: () => mongo.restart(),
    })));

  it('accepts while MongoDB is frozen, and a write that is sent twice has one effect', () =>
    expectNothingNoticed('MongoDB frozen', MONGODB_FROZEN, (mongo) => ({
      begin: () => mongo.freeze(),
      end: () => mongo.thaw(),
    })));
});

/** Every request sent meanwhile got this status in time, and there was at least one. */
function expectAnswers({ during, lagMs }: Outage, status: number): void {
  expect(during.length).to.be.above(PER_SECOND / 4);
  const others = during.map(statusOf).filter((seen) => seen !== status);
  expect(others.filter((seen) => seen !== 503)).to.deep.equal([]);
  // If the disk stalls for as long as Redis may take, only the requests of that time are rejected.
  const refusedByDisk = lagMs < WAITED_MS ? 0 : (PER_SECOND * lagMs) / 1000;
  expect(others.length, 'responses with 503').to.be.at.most(refusedByDisk);
  for (const { answer } of during)
    if (status === 503) expect(Number(answer?.headers.get('retry-after'))).to.be.at.least(1);
}

function inNumbers({ during, firstAcceptMs, lagMs }: Outage, worstMs: number): string {
  const statuses = [...new Set(during.map(statusOf))].join(', ');
  return `${during.length} responses meanwhile, all ${statuses}, the slowest ${worstMs.toFixed(0)} ms; accepting after ${firstAcceptMs.toFixed(0)} ms (the machine itself up to ${lagMs.toFixed(0)} ms late)`;
}

function statusOf({ answer }: Try): number | string {
  return answer?.status ?? 'unanswered';
}
