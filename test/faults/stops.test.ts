import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { sized } from '../support/size.ts';
import { type Load, startLoad } from './support/load.ts';
import { tell } from './support/report.ts';
import { expectWhole, inWords, verdictOn } from './support/whole.ts';

/** SHUTDOWN_GRACE_SECONDS by default: whoever stops a process kills it soon after. */
const EXIT_WITHIN_MS = 10_000;
/** The timer that ends a process after its grace period, and the news of it, come late on a busy machine. */
const LATE_MS = 3_000;
const TIMES = sized({ short: 1, long: 5 });
const WORKERS = sized({ short: 1, middle: 2 });

describe('faults: SIGTERM under load ends every process in time and loses nothing', function () {
  this.timeout(sized({ short: 240_000, long: 600_000 }));
  let pipeline: Pipeline;
  let source: TestSource;
  let load: Load;
  beforeEach(async () => {
    pipeline = await startPipeline({ ingress: 1, workers: WORKERS });
    source = await pipeline.addSource();
    load = startLoad({ urls: pipeline.urls, source });
    await load.sent(100);
  });
  afterEach(async () => {
    await load?.stop();
    await pipeline?.stop();
  });

  /** Stops all processes by SIGTERM; resolves with how long the slowest took. */
  async function stopAll(): Promise<number> {
    const services = [...pipeline.ingresses, ...pipeline.workers];
    const times = services.map(async (service) => {
      const since = performance.now();
      await service.kill('SIGTERM');
      return performance.now() - since;
    });
    return Math.max(...(await Promise.all(times)));
  }

  async function startAgain(): Promise<void> {
    pipeline.urls.splice(0, 1, await pipeline.addIngress());
    pipeline.ingresses.splice(0, 1);
    pipeline.urls.splice(1);
    pipeline.workers.splice(0, WORKERS);
    await Promise.all(Array.from({ length: WORKERS }, () => pipeline.addWorker().ready()));
  }

  async function stopAgainAndAgain(what: string, begin: () => unknown, end: () => unknown) {
    const codes = new Set<unknown>();
    let slowest = 0;
    for (let i = 0; i < TIMES; i++) {
      await begin();
      await load.sent(20);
      slowest = Math.max(slowest, await stopAll());
      for (const service of [...pipeline.ingresses, ...pipeline.workers]) codes.add(service.ended());
      await end();
      await startAgain();
      await load.sent(20);
    }
    const verdict = await verdictOn(pipeline, source, await load.stop());
    tell({
      test: 'stops in time',
      done: `SIGTERM of ingress and workers ${what}`,
      times: TIMES,
      asked: 'exit within 10 s, nothing lost',
      seen: `slowest ${(slowest / 1000).toFixed(1)} s, exit codes ${[...codes].join(', ')}; ${inWords(verdict)}`,
    });
    expect(slowest).to.be.below(EXIT_WITHIN_MS + LATE_MS);
    expectWhole(verdict);
    return codes;
  }

  const nothing = () => undefined;

  it('when all is well: exit code 0', async () => {
    expect([...(await stopAgainAndAgain('when all is well', nothing, nothing))]).to.deep.equal([0]);
  });

  it('with Redis gone', () =>
    stopAgainAndAgain(
      'with Redis gone',
      () => pipeline.redis.kill(),
      () => pipeline.redis.restart(),
    ));

  it('with Redis frozen', () =>
    stopAgainAndAgain(
      'with Redis frozen',
      () => pipeline.redis.freeze(),
      () => pipeline.redis.thaw(),
    ));

  it('with MongoDB gone', async () => {
    const { mongo } = pipeline;
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    await stopAgainAndAgain(
      'with MongoDB gone',
      () => mongo.kill(),
      () => mongo.restart(),
    );
  });
});
