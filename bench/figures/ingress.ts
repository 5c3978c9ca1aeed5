import { join } from 'node:path';
import type { FigureContext, FigureResult } from '../support/figure.ts';
import { measureIngressPeer, measureLoad, type IngressRun as Run } from '../support/ingress-load.ts';
import { presign } from '../support/presign.ts';
import { type Measured, startProgram, startService } from '../support/processes.ts';
import { startBenchRedis } from '../support/redis.ts';
import { publishSources, SECRET, SERVICE_ENV } from '../support/sources.ts';
import { onStage } from '../support/stage.ts';
import { median, spread } from '../support/stats.ts';
import { count, formatTable, ms, percent, ratio } from '../support/table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MODES = ['raw', 'floor', 'express', 'naive', 'sluice'] as const;
type Program = (typeof MODES)[number];
type Mode = Program | 'peer';

const MODE_NAMES: Readonly<Record<Mode, string>> = {
  raw: 'node:http, nothing but an answer',
  floor: 'the floor: node:http + HMAC + JSON.parse',
  express: 'Express as it comes + HMAC + JSON.parse',
  naive: 'the naive pipeline',
  sluice: 'Sluice, the whole way to the 200',
  peer: 'peer',
};

const LOAD = {
  connections: 64,
  /** V8 has compiled the hot code of every program then. */
  warmUpSeconds: 5,
  /** More requests than one run can send, so that none is sent twice. */
  requests: 600_000,
} as const;

/** Requests a second of each program. They alternate for several rounds, and only ratios within a round are quoted. */
export async function ingressFigure({ quick, peer, rounds, step }: FigureContext): Promise<FigureResult> {
  const [times, seconds] = quick ? [1, 2] : [rounds ?? 5, 8];
  const measures = new Map<Mode, () => Promise<Run>>(
    MODES.map((mode) => [mode, () => measure(mode, seconds)]),
  );
  if (peer !== undefined) measures.set('peer', () => measureIngressPeer(peer, { ...LOAD, seconds }));
  const runs = new Map<Mode, Run[]>([...measures.keys()].map((mode) => [mode, []]));
  for (let round = 1; round <= times; round++)
    for (const [mode, run] of measures) runs.get(mode)?.push(await step(`round ${round}, ${mode}`, run));
  return {
    tables: [{ title: 'the way to the 200, each way to build it', text: tableOf(runs) }],
    data: Object.fromEntries(runs),
  };
}

function measure(mode: Program, seconds: number): Promise<Run> {
  return onStage(async (keep) => {
    const { path: dir } = await keep(temporaryFolder());
    const requests = join(dir, 'requests');
    const redis = await keep(startBenchRedis());
    const targets = await publishSources(redis.url);
    await presign({ file: requests, count: LOAD.requests, targets });
    const program = await keep(start(mode, redis.url));
    const cpuSeconds = () => Promise.all([program.cpuSeconds(), redis.cpuSeconds()]);
    return measureLoad({ url: program.url, file: requests, ...LOAD, seconds }, cpuSeconds);
  });
}

function start(mode: Program, redisUrl: string): Promise<Measured> {
  if (mode !== 'sluice') return startProgram(mode, { SECRET, REDIS_URL: redisUrl });
  // Every source is already published, so no request needs MongoDB.
  return startService('ingress', { ...SERVICE_ENV, REDIS_URL: redisUrl, MONGO_URL: 'mongodb://127.0.0.1:1' });
}

function tableOf(runs: ReadonlyMap<Mode, readonly Run[]>): string {
  const of = (mode: Mode) => runs.get(mode) as readonly Run[];
  const against = (mode: Mode, other: Mode) =>
    ratio(median(of(mode).map((run, i) => run.requestsPerSecond / (of(other)[i] as Run).requestsPerSecond)));
  const rows = [...runs.keys()].map((mode) => {
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
