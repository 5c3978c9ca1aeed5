import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { type Load, startLoad, type Try } from './support/load.ts';
import { atMostMs, watchMachine } from './support/machine-lag.ts';
import { report } from './support/report.ts';
import { expectWhole, inWords, verdictOn } from './support/whole.ts';

/** The default of SHUTDOWN_GRACE_SECONDS. A supervisor kills the process soon after. */
const EXIT_WITHIN_MS = 10_000;
const TIMES = sized({ short: 1, long: 5 });
const WORKERS = sized({ short: 1, middle: 2 });

/** How one process ended. */
interface Stop {
  readonly tookMs: number;
  readonly code: unknown;
  /** The exit code that its log announces. */
  readonly announced: 0 | 1 | undefined;
}

/** The outcome of stopping everything repeatedly. */
interface Stops {
  readonly stops: readonly Stop[];
  /** By stop: the requests sent before SIGTERM that had no response yet. */
  readonly underWay: readonly (readonly Try[])[];
}

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

  /** Stops all processes by SIGTERM. */
  function stopAll(): Promise<Stop[]> {
    const stop = async (service: ServiceProcess): Promise<Stop> => {
      const since = performance.now();
      await service.kill('SIGTERM');
      const tookMs = performance.now() - since;
      // The last log lines may arrive after the exit event.
      await until(() => announcedCode(service) !== undefined, { withinMs: 10_000 }).catch(() => undefined);
      return { tookMs, code: service.ended(), announced: announcedCode(service) };
    };
    return Promise.all([...pipeline.ingresses, ...pipeline.workers].map(stop));
  }

  async function startAgain(): Promise<void> {
    pipeline.urls.splice(0, 1, await pipeline.addIngress());
    pipeline.ingresses.splice(0, 1);
    pipeline.urls.splice(1);
    pipeline.workers.splice(0, WORKERS);
    await Promise.all(Array.from({ length: WORKERS }, () => pipeline.addWorker().ready()));
  }

  async function stopAgainAndAgain(what: string, begin: () => unknown, end: () => unknown): Promise<Stops> {
    const stops: Stop[] = [];
    const askedAt: number[] = [];
    const machine = await watchMachine();
    let lagMs = 0;
    try {
      for (let i = 0; i < TIMES; i++) {
        await begin();
        await load.sent(20);
        askedAt.push(performance.now());
        stops.push(...(await stopAll()));
        await end();
        await startAgain();
        await load.sent(20);
      }
    } finally {
      lagMs = await machine.stop();
    }
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    const underWay = askedAt.map((at) => tries.filter(({ sentAt, endedAt }) => sentAt < at && endedAt > at));
    const slowest = Math.max(...stops.map(({ tookMs }) => tookMs));
    report({
      test: 'stops in time',
      done: `SIGTERM of ingress and workers ${what}`,
      times: TIMES,
      asked: 'exit within 10 s, with 0 or a code that the log explains, nothing lost',
      seen: `slowest ${(slowest / 1000).toFixed(1)} s, ${inCodes(stops)}, ${inFates(underWay)}; ${inWords(verdict)}`,
    });
    expect(slowest).to.be.below(atMostMs(EXIT_WITHIN_MS, lagMs));
    for (const { code, announced } of stops) expect(code, 'exit code').to.equal(announced);
    expectWhole(verdict);
    return { stops, underWay };
  }

  const nothing = () => undefined;

  it('without a fault: exits with 0, and pending requests get their responses', async () => {
    const { stops, underWay } = await stopAgainAndAgain('without a fault', nothing, nothing);
    expect(stops.filter(({ code }) => code !== 0)).to.deep.equal([]);
    for (const tries of underWay) {
      expect(tries, 'requests under way').not.to.deep.equal([]);
      expect(tries.filter(({ answer }) => answer === undefined)).to.deep.equal([]);
    }
  });

  it('with Redis stopped: exits with 0, or with 1 if the log states what was left undone', async () => {
    await stopAgainAndAgain(
      'with Redis stopped',
      () => pipeline.redis.kill(),
      () => pipeline.redis.restart(),
    );
  });

  it('with Redis frozen: exits with 0, or with 1 if the log states what was left undone', async () => {
    await stopAgainAndAgain(
      'with Redis frozen',
      () => pipeline.redis.freeze(),
      () => pipeline.redis.thaw(),
    );
  });

  it('with MongoDB stopped: exits with 0, because workers return their groups to the queue', async () => {
    const { mongo } = pipeline;
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    const { stops } = await stopAgainAndAgain(
      'with MongoDB stopped',
      () => mongo.kill(),
      () => mongo.restart(),
    );
    expect(stops.filter(({ code }) => code !== 0)).to.deep.equal([]);
  });
});

const LAST_LINES = ['stopped', 'not stopped within the grace period'];
const NAME_WHAT_IS_LEFT = [
  'not released in time; going on without',
  'release failed',
  'not stopped within the grace period',
];

/** 1 if the log states that something was left undone, otherwise 0. Undefined until the last line is there. */
function announcedCode({ log }: ServiceProcess): Stop['announced'] {
  const said = log.map(({ msg }) => String(msg));
  if (!said.some((msg) => LAST_LINES.includes(msg))) return undefined;
  return said.some((msg) => NAME_WHAT_IS_LEFT.includes(msg)) ? 1 : 0;
}

function inCodes(stops: readonly Stop[]): string {
  const of = (wanted: unknown) => stops.filter(({ code }) => code === wanted).length;
  return [...new Set(stops.map(({ code }) => code))]
    .map((code) => `exit code ${code} ${of(code)} times`)
    .join(', ');
}

function inFates(underWay: Stops['underWay']): string {
  const tries = underWay.flat();
  const unanswered = tries.filter(({ answer }) => answer === undefined).length;
  return `${unanswered} of ${tries.length} under way unanswered`;
}
