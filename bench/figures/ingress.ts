import { join } from 'node:path';
import { type FigureContext, type FigureResult, inRounds } from '../support/figure.ts';
import { type Measured, startProgram, startService } from '../support/processes.ts';
import { startBenchRedis } from '../support/redis.ts';
import { presign } from '../support/sign-requests.ts';
import { publishSources, SECRET, SERVICE_ENV } from '../support/sources.ts';
import { onStage } from '../support/stage.ts';
import { median, spread } from '../support/stats.ts';
import { count, formatTable, ms, percent, ratio } from '../support/table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type WrkResult, wrk } from '../support/wrk.ts';

const MODES = ['floor', 'naive', 'sluice'] as const;
type Mode = (typeof MODES)[number];

const MODE_NAMES: Readonly<Record<Mode, string>> = {
  floor: 'the floor: node:http + HMAC + JSON.parse',
  naive: 'the naive pipeline',
  sluice: 'Sluice, all steps up to the 200',
};

const CONNECTIONS = 64;
/** V8 has compiled the hot code of every program then. */
const WARM_UP_SECONDS = 5;
/** More requests than one run can send, so that none is sent twice. */
const REQUESTS = 600_000;

/** CPU times are those of one request, in microseconds. */
interface Run extends WrkResult {
  readonly cpuUs: number;
  readonly redisCpuUs: number;
}

/** Requests a second of each program. They alternate for several rounds, and only ratios within a round are quoted. */
export async function ingressFigure({ quick, ...context }: FigureContext): Promise<FigureResult> {
  const [usual, seconds] = quick ? [1, 2] : [5, 8];
  const runs = await inRounds(context.rounds ?? usual, MODES, (mode) => measure(mode, seconds));
  return { tables: [{ title: 'up to the 200, each way to build it', text: tableOf(runs) }], data: runs };
}

function measure(mode: Mode, seconds: number): Promise<Run> {
  return onStage(async (keep) => {
    const { path } = await keep(temporaryFolder());
    const file = join(path, 'requests');
    const redis = await keep(startBenchRedis());
    const targets = await publishSources(redis.url);
    await presign({ file, count: REQUESTS, targets });
    const program = await keep(start(mode, redis.url));
    const load = { url: program.url, requests: file, connections: CONNECTIONS };
    const warm = await wrk({ ...load, seconds: WARM_UP_SECONDS });
    const cpuSeconds = () => Promise.all([program.cpuSeconds(), redis.cpuSeconds()]);
    const before = await cpuSeconds();
    const result = await wrk({ ...load, seconds, from: warm.requests + CONNECTIONS });
    const after = await cpuSeconds();
    const wrong = warm.not200 + result.not200;
    if (wrong > 0) throw new Error(`${mode}: ${wrong} answers were not 200`);
    const each = (from: number, to: number) => ((to - from) * 1e6) / result.requests;
    return { ...result, cpuUs: each(before[0], after[0]), redisCpuUs: each(before[1], after[1]) };
  });
}

function start(mode: Mode, redisUrl: string): Promise<Measured> {
  if (mode !== 'sluice') return startProgram(mode, { SECRET, REDIS_URL: redisUrl });
  return startService('ingress', {
    ...SERVICE_ENV,
    REDIS_URL: redisUrl,
    // Every source is already published, so no request needs MongoDB.
    MONGO_URL: 'mongodb://127.0.0.1:1',
    // No worker takes the groups, so nearly all of them would be compressed. With workers hardly any is.
    PACK_FROM_GROUPS: '0',
  });
}

function tableOf(runs: Readonly<Record<Mode, readonly Run[]>>): string {
  const rows = MODES.map((mode) => {
    const own = runs[mode];
    const middle = (value: (run: Run) => number) => median(own.map(value));
    const against = (other: Mode) =>
      ratio(median(own.map((run, i) => run.requestsPerSecond / (runs[other][i] as Run).requestsPerSecond)));
    const [p50, p99] = [middle((run) => run.p50Ms), middle((run) => run.p99Ms)];
    return [
      MODE_NAMES[mode],
      count(middle((run) => run.requestsPerSecond)),
      percent(spread(own.map((run) => run.requestsPerSecond))),
      against('naive'),
      against('floor'),
      ms(p50),
      ms(p99),
      ratio(p99 / p50),
      count(middle((run) => run.cpuUs)),
      count(middle((run) => run.redisCpuUs)),
    ];
  });
  const head = ['', 'requests/s', 'spread', '/naive', '/floor', 'p50 ms', 'p99 ms', 'p99/p50'];
  return formatTable([...head, 'CPU us', 'Redis us'], rows);
}
