import type { FigureContext, FigureResult } from '../support/figure.ts';
import { startNaive, startSluice } from '../support/pipeline.ts';
import {
  type RunThrough,
  type RunThroughSettings,
  runThrough,
  WARM_UP_SECONDS,
} from '../support/run-through.ts';
import { onStage } from '../support/stage.ts';
import { median, spread } from '../support/stats.ts';
import { type StoreName, storesAtHand, storeTitle } from '../support/store.ts';
import { count, formatTable, percent, ratio } from '../support/table.ts';

const MODES = ['naive', 'sluice'] as const;
type Mode = (typeof MODES)[number];
const MODE_NAMES: Readonly<Record<Mode, string>> = { naive: 'the naive pipeline', sluice: 'Sluice' };
const START = { naive: startNaive, sluice: startSluice } as const;

const CONNECTIONS = 64;

/** Time from the first request until the last action is applied and logged. Both pipelines alternate on each store. */
export async function endToEndFigure({ quick, step }: FigureContext): Promise<FigureResult> {
  const [rounds, actions, warmUpSeconds] = quick ? [1, 3_000, 0] : [5, 30_000, WARM_UP_SECONDS];
  const settings = { actions, connections: CONNECTIONS, warmUpSeconds };
  const tables = [];
  const data: Record<string, Record<Mode, RunThrough[]>> = {};
  for (const store of storesAtHand()) {
    const runs: Record<Mode, RunThrough[]> = { naive: [], sluice: [] };
    for (let round = 1; round <= rounds; round++) {
      for (const mode of MODES) {
        const name = `${storeTitle(store)}, round ${round}, ${mode}`;
        runs[mode].push(await step(name, () => measure(mode, store, settings)));
      }
    }
    data[storeTitle(store)] = runs;
    const title = `first request to last action applied and logged, ${count(actions)} actions, ${storeTitle(store)}`;
    tables.push({ title, text: tableOf(runs) });
  }
  return { tables, data };
}

function measure(mode: Mode, store: StoreName, settings: RunThroughSettings): Promise<RunThrough> {
  return onStage(async (keep) => {
    const pipeline = await START[mode](keep, { store });
    return runThrough(keep, pipeline, settings);
  });
}

function tableOf(runs: Readonly<Record<Mode, readonly RunThrough[]>>): string {
  const rows = MODES.map((mode) => {
    const own = runs[mode];
    const speeds = own.map((run) => run.actionsPerSecond);
    const against = own.map(
      (run, i) => run.actionsPerSecond / (runs.naive[i] as RunThrough).actionsPerSecond,
    );
    const cpu = (part: keyof RunThrough['cpuUs']) => count(median(own.map((run) => run.cpuUs[part])));
    return [
      MODE_NAMES[mode],
      count(median(speeds)),
      percent(spread(speeds)),
      ratio(median(against)),
      count(median(own.map((run) => run.actions / run.sendSeconds))),
      cpu('ingress'),
      cpu('redis'),
      cpu('worker'),
      cpu('store'),
    ];
  });
  const head = ['', 'actions/s', 'spread', '/naive', 'answers/s'];
  return formatTable([...head, 'ingress CPU us', 'Redis', 'worker', 'store'], rows);
}
