import { type Costs, carries, NODE_26, oneRedisCarries } from '../model.ts';
import { PARTS } from '../support/cpu.ts';
import type { FigureContext, FigureResult } from '../support/figure.ts';
import { startSluice } from '../support/pipeline.ts';
import { type RunThrough, runThrough, WARM_UP_SECONDS } from '../support/run-through.ts';
import { onStage } from '../support/stage.ts';
import { median, spread } from '../support/stats.ts';
import { count, formatTable, percent } from '../support/table.ts';

const CONNECTIONS = 128;
const REPLICAS = [1, 2].flatMap((ingresses) => [1, 2, 4].map((workers) => ({ ingresses, workers })));
const nameOf = ({ ingresses, workers }: (typeof REPLICAS)[number]) =>
  `${ingresses} x ingress, ${workers} x worker`;

/** Typical machines of operators, besides this one. */
const MACHINES = [
  { cores: 2, redis: 1 },
  { cores: 16, redis: 1 },
  { cores: 16, redis: 4 },
  { cores: 64, redis: 1 },
  { cores: 64, redis: 4 },
  { cores: 64, redis: 8 },
];

/** Replicas on this machine, and the capacity of larger ones computed from the costs measured here. */
export async function scaleFigure({ quick, step }: FigureContext): Promise<FigureResult> {
  const [rounds, actions, warmUpSeconds] = quick ? [1, 3_000, 0] : [3, 30_000, WARM_UP_SECONDS];
  const runs = new Map<string, RunThrough[]>(REPLICAS.map((replicas) => [nameOf(replicas), []]));
  for (let round = 1; round <= rounds; round++)
    for (const replicas of REPLICAS) {
      const name = nameOf(replicas);
      const measure = () =>
        onStage(async (keep) => {
          const pipeline = await startSluice(keep, { store: 'embedded', ...replicas });
          return runThrough(keep, pipeline, { actions, connections: CONNECTIONS, warmUpSeconds });
        });
      runs.get(name)?.push(await step(`${name}, round ${round}`, measure));
    }
  const costs = medianCosts([...runs.values()].flat());
  return {
    tables: [
      { title: 'replicas on this machine, with the embedded store', text: measuredTable(runs) },
      {
        title: 'what larger machines would carry, from the CPU an action costs here',
        text: modelTable(costs),
      },
      { title: 'what one Redis would carry', text: redisTable(costs) },
    ],
    data: { runs: Object.fromEntries(runs), costs },
  };
}

function medianCosts(runs: readonly RunThrough[]): Costs {
  const of = (part: keyof Costs) => median(runs.map(({ cpuUs }) => cpuUs[part]));
  return { ingress: of('ingress'), redis: of('redis'), worker: of('worker'), store: of('store') };
}

function measuredTable(runs: ReadonlyMap<string, readonly RunThrough[]>): string {
  const rows = [...runs].map(([name, own]) => {
    const speeds = own.map(({ actionsPerSecond }) => actionsPerSecond);
    const costs = medianCosts(own);
    return [name, count(median(speeds)), percent(spread(speeds)), ...PARTS.map((part) => count(costs[part]))];
  });
  return formatTable(['', 'actions/s', 'spread', 'ingress CPU us', 'redis', 'worker', 'store'], rows);
}

/** One store uses every core, like MongoDB's shards. The other is a single process, like the embedded store. */
function modelTable(costs: Costs): string {
  const rows = MACHINES.flatMap(({ cores, redis }) =>
    [Number.POSITIVE_INFINITY, 1].map((stores) => {
      const load = carries(costs, { cores, redis, stores });
      return [
        `${cores} cores, ${redis} Redis, ${stores === 1 ? 'one store process' : 'store on any core'}`,
        count(load.actionsPerSecond),
        load.saturated,
        load.coresUsed.toFixed(1),
        count(load.ingresses),
        count(load.workers),
      ];
    }),
  );
  return formatTable(['', 'actions/s', 'full first', 'cores used', 'ingresses', 'workers'], rows);
}

function redisTable(costs: Costs): string {
  const rows = [
    ['by the costs measured here', costs],
    ['by the costs of docs/performance.md, Node 26', NODE_26],
  ] as const;
  return formatTable(
    ['', 'CPU us an action', 'actions/s'],
    rows.map(([name, of]) => [name, count(of.redis), count(oneRedisCarries(of))]),
  );
}
