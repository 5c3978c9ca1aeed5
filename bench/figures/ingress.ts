import { join } from 'node:path';
import type { FigureContext, FigureResult } from '../support/figure.ts';
import { presign } from '../support/presign.ts';
import { type Measured, startProgram, startService } from '../support/processes.ts';
import { startBenchRedis } from '../support/redis.ts';
import { publishSources, SECRET, SERVICE_ENV } from '../support/sources.ts';
import { onStage } from '../support/stage.ts';
import { median, spread } from '../support/stats.ts';
import { count, formatTable, ms, percent, ratio } from '../support/table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type WrkResult, wrk } from '../support/wrk.ts';

const MODES = ['raw', 'floor', 'express', 'naive', 'sluice'] as const;
type Mode = (typeof MODES)[number];

const MODE_NAMES: Readonly<Record<Mode, string>> = {
  raw: 'node:http, nothing but an answer',
  floor: 'the floor: node:http + HMAC + JSON.parse',
  express: 'Express as it comes + HMAC + JSON.parse',
  naive: 'the naive pipeline',
  sluice: 'Sluice, the whole way to the 200',
};

interface Run extends WrkResult {
  readonly cpuUs: number;
  readonly redisCpuUs: number;
}

const CONNECTIONS = 64;
/** Seconds of warm-up, after which V8 has compiled the hot code of every program. */
const WARM_UP_SECONDS = 5;
/** More requests than one run can send, so that none is sent twice. */
const REQUESTS = 400_000;

/** Requests a second of each program. They alternate for several rounds, and only ratios within a round are quoted. */
export async function ingressFigure({ quick, step }: FigureContext): Promise<FigureResult> {
  const [rounds, seconds] = quick ? [1, 2] : [5, 8];
  const runs = new Map<Mode, Run[]>(MODES.map((mode) => [mode, []]));
  for (let round = 1; round <= rounds; round++)
    for (const mode of MODES)
      runs.get(mode)?.push(await step(`round ${round}, ${mode}`, () => measure(mode, seconds)));
  return {
    tables: [{ title: 'the way to the 200, each way to build it', text: tableOf(runs) }],
    data: Object.fromEntries(runs),
  };
}

function measure(mode: Mode, seconds: number): Promise<Run> {
  return onStage(async (keep) => {
    const { path: dir } = await keep(temporaryFolder());
    const requests = join(dir, 'requests');
    const redis = await keep(startBenchRedis());
    const targets = await publishSources(redis.url);
    await presign({ file: requests, count: REQUESTS, targets });
    const program = await keep(start(mode, redis.url));
    const load = { url: program.url, requests, connections: CONNECTIONS };
    const warm = await wrk({ ...load, seconds: WARM_UP_SECONDS });
    const before = [await program.cpuSeconds(), await redis.cpuSeconds()] as const;
    const result = await wrk({ ...load, seconds, from: warm.requests + CONNECTIONS });
    const after = [await program.cpuSeconds(), await redis.cpuSeconds()] as const;
    const wrong = warm.not200 + result.not200;
    if (wrong > 0) throw new Error(`${mode}: ${wrong} answers were not 200`);
    const perRequest = (from: number, to: number) => ((to - from) * 1e6) / result.requests;
    return { ...result, cpuUs: perRequest(before[0], after[0]), redisCpuUs: perRequest(before[1], after[1]) };
  });
}

function start(mode: Mode, redisUrl: string): Promise<Measured> {
  if (mode !== 'sluice') return startProgram(mode, { SECRET, REDIS_URL: redisUrl });
  // Every source is already published, so no request needs MongoDB.
  return startService('ingress', { ...SERVICE_ENV, REDIS_URL: redisUrl, MONGO_URL: 'mongodb://127.0.0.1:1' });
}

function tableOf(runs: ReadonlyMap<Mode, readonly Run[]>): string {
  const of = (mode: Mode) => runs.get(mode) as readonly Run[];
  const against = (mode: Mode, other: Mode) =>
    ratio(median(of(mode).map((run, i) => run.requestsPerSecond / (of(other)[i] as Run).requestsPerSecond)));
  const rows = MODES.map((mode) => {
    const speeds = of(mode).map((run) => run.requestsPerSecond);
    const [p50, p99] = [median(of(mode).map((run) => run.p50Ms)), median(of(mode).map((run) => run.p99Ms))];
    return [
      MODE_NAMES[mode],
      count(median(speeds)),
      percent(spread(speeds)),
      against(mode, 'naive'),
      against(mode, 'floor'),
      ms(p50),
      ms(p99),
      ratio(p99 / p50),
      count(median(of(mode).map((run) => run.cpuUs))),
      count(median(of(mode).map((run) => run.redisCpuUs))),
    ];
  });
  return formatTable(
    ['', 'requests/s', 'spread', '/naive', '/floor', 'p50 ms', 'p99 ms', 'p99/p50', 'CPU us', 'Redis us'],
    rows,
  );
}
