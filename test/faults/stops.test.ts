import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import type { Try } from '../support/load.ts';
import { usePipeline } from '../support/pipeline.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { type Load, startLoad } from './support/load.ts';
import { expectPromised } from './support/outage.ts';
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

describe('SIGTERM under load', function () {
  this.timeout(sized({ short: 240_000, long: 600_000 }));
  // On a busy machine the requests that wait for their connection need the drain time.
  const pipeline = usePipeline({ ingress: 1, workers: WORKERS, env: { DRAIN_MS: '2000' } });
  let source: TestSource;
  let load: Load;
  beforeEach(async () => {
    source = await pipeline.addSource();
    load = startLoad({ urls: pipeline.urls, source });
    await load.sent(60);
  });
  afterEach(() => load?.stop());

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

  /** Expects that nothing is lost. Returns the exit codes, and the requests sent before SIGTERM that had no response yet. */
  async function stopAgainAndAgain(begin = async () => {}, end = async () => {}) {
    const stops: Stop[] = [];
    const askedAt: number[] = [];
    for (let i = 0; i < TIMES; i++) {
      await begin();
      await load.sent(20);
      askedAt.push(performance.now());
      stops.push(...(await stopAll()));
      await end();
      await startAgain();
      await load.sent(20);
    }
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    const isUnderWay = ({ sentAt, endedAt }: Try) => askedAt.some((at) => sentAt < at && endedAt > at);
    const underWay = tries.filter(isUnderWay);
    const codes = stops.map(({ code }) => code);
    const slowestMs = Math.max(...stops.map(({ tookMs }) => tookMs));
    report(
      `slowest ${(slowestMs / 1000).toFixed(1)} s, exit codes ${codes.join(', ')}; ${inWords(verdict)}`,
      TIMES,
    );
    expectPromised(slowestMs, EXIT_WITHIN_MS);
    for (const { code, announced } of stops) expect(code, 'exit code').to.equal(announced);
    expectWhole(verdict);
    return { codes, underWay };
  }

  it('ends every process with 0, and pending requests get their responses', async () => {
    const { codes, underWay } = await stopAgainAndAgain();
    expect(new Set(codes)).to.deep.equal(new Set([0]));
    expect(underWay, 'requests under way').not.to.deep.equal([]);
    expect(underWay.filter(({ answer }) => answer === undefined).map(({ n }) => n)).to.deep.equal([]);
  });

  it('with Redis stopped ends with 0, or with 1 if the log states what was left undone', async () => {
    const { redis } = pipeline;
    await stopAgainAndAgain(
      () => redis.kill(),
      () => redis.restart(),
    );
  });

  it('with Redis frozen ends with 0, or with 1 if the log states what was left undone', async () => {
    const { redis } = pipeline;
    await stopAgainAndAgain(
      async () => redis.freeze(),
      async () => redis.thaw(),
    );
  });

  it('with MongoDB stopped ends with 0, because workers return their groups to the queue', async () => {
    const { mongo } = pipeline;
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    const { codes } = await stopAgainAndAgain(
      () => mongo.kill(),
      () => mongo.restart(),
    );
    expect(new Set(codes)).to.deep.equal(new Set([0]));
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
