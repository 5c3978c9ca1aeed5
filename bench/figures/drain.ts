import { createKeyspace } from '@sluice/shards/keyspace';
import type { FigureContext, FigureResult } from '../support/figure.ts';
import { fillQueue } from '../support/fill-queue.ts';
import { countOf, type MeasuredProgram, startProgram } from '../support/processes.ts';
import { startBenchRedis } from '../support/redis.ts';
import { redisFacts } from '../support/redis-facts.ts';
import { publishSources, SERVICE_ENV } from '../support/sources.ts';
import { onStage } from '../support/stage.ts';
import { median, spread } from '../support/stats.ts';
import { count, formatTable, percent, ratio } from '../support/table.ts';
import { waitApplied } from '../support/wait-applied.ts';

const GROUP = 50;
const EVENTS = 10_000;
const WAYS = [
  { name: 'BullMQ alone, 1 action a job', handles: 'nothing', workers: 1, group: 1 },
  { name: `BullMQ alone, ${GROUP} actions a job`, handles: 'nothing', workers: 1, group: GROUP },
  { name: 'Sluice, 1 action a job', handles: 'sluice', workers: 1, group: 1 },
  { name: `Sluice, ${GROUP} actions a job`, handles: 'sluice', workers: 1, group: GROUP },
  { name: 'Sluice, two workers, 1 action a job', handles: 'sluice', workers: 2, group: 1 },
  { name: `Sluice, two workers, ${GROUP} actions a job`, handles: 'sluice', workers: 2, group: GROUP },
] as const;
type Way = (typeof WAYS)[number];

interface Run {
  readonly actionsPerSecond: number;
  readonly workerCpuUs: number;
  readonly redisCpuUs: number;
}

/** Drains a full queue into a store that keeps nothing: many actions a job against one. */
export async function drainFigure({ quick, step }: FigureContext): Promise<FigureResult> {
  const [rounds, jobs] = quick ? [1, 1_000] : [5, 20_000];
  const runs = new Map<string, Run[]>(WAYS.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++)
    for (const way of WAYS)
      runs.get(way.name)?.push(await step(`${way.name}, round ${round}`, () => measure(way, jobs)));
  return {
    tables: [{ title: 'draining a full queue, with a store that keeps nothing', text: tableOf(runs) }],
    data: Object.fromEntries(runs),
  };
}

/** The same number of actions warms the worker up first, so that V8 compiles the hot code. */
function measure({ handles, workers: count, group }: Way, jobs: number): Promise<Run> {
  return onStage(async (keep) => {
    const redis = await keep(startBenchRedis());
    const facts = await keep(redisFacts(redis.url));
    const [source] = await publishSources(redis.url);
    const env = { REDIS_URL: redis.url, HANDLES: handles };
    const workers: MeasuredProgram[] = [];
    while (workers.length < count) workers.push(await keep(startProgram('noop-worker', env)));
    const counts = workers.map(countOf);
    const applied = () => sum(counts.map((of) => of()));
    const queue = `${createKeyspace(SERVICE_ENV.SLUICE_NAMESPACE).prefix}:actions`;
    const draining = { waiting: () => facts.jobs(queue), applied: async () => applied() };
    const actions = jobs * group;
    const fill = async (times: number) => {
      const filling = { redisUrl: redis.url, sourceId: source?.sourceId as string, group, events: EVENTS };
      for (const { pid } of workers) process.kill(pid, 'SIGSTOP');
      await fillQueue({ ...filling, actions: times });
    };
    const letGo = () => {
      for (const { pid } of workers) process.kill(pid, 'SIGCONT');
      return performance.now();
    };
    const warm = Math.ceil(jobs / 4) * group;
    await fill(warm);
    letGo();
    await waitApplied(warm, draining);
    await fill(actions);
    const cpu = async () =>
      [sum(await Promise.all(workers.map((one) => one.cpuSeconds()))), await redis.cpuSeconds()] as const;
    const before = await cpu();
    const since = letGo();
    const seconds = ((await waitApplied(warm + actions, draining)) - since) / 1000;
    const after = await cpu();
    return {
      actionsPerSecond: actions / seconds,
      workerCpuUs: ((after[0] - before[0]) * 1e6) / actions,
      redisCpuUs: ((after[1] - before[1]) * 1e6) / actions,
    };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Compares each with the same program at one action a job, within a round. */
function tableOf(runs: ReadonlyMap<string, readonly Run[]>): string {
  const rows = WAYS.map(({ name, handles, workers }) => {
    const own = runs.get(name) as readonly Run[];
    const one = WAYS.find(
      (way) => way.handles === handles && way.workers === workers && way.group === 1,
    ) as Way;
    const base = runs.get(one.name) as readonly Run[];
    const speeds = own.map(({ actionsPerSecond }) => actionsPerSecond);
    return [
      name,
      count(median(speeds)),
      percent(spread(speeds)),
      ratio(median(speeds.map((speed, i) => speed / (base[i] as Run).actionsPerSecond))),
      count(median(own.map(({ workerCpuUs }) => workerCpuUs))),
      count(median(own.map(({ redisCpuUs }) => redisCpuUs))),
    ];
  });
  return formatTable(['', 'actions/s', 'spread', '/1 a job', 'worker CPU us', 'Redis us'], rows);
}
