import { type FigureContext, type FigureResult, inRounds, type Table } from '../support/figure.ts';
import { startNaive, startSluice } from '../support/pipeline.ts';
import { type RunThrough, runThrough, WARM_UP_SECONDS } from '../support/run-through.ts';
import { onStage } from '../support/stage.ts';
import { median, spread } from '../support/stats.ts';
import { storesAtHand, storeTitle } from '../support/store.ts';
import { count, formatTable, percent, ratio } from '../support/table.ts';

const MODES = ['naive', 'sluice'] as const;
type Mode = (typeof MODES)[number];
type Runs = Readonly<Record<Mode, readonly RunThrough[]>>;
const MODE_NAMES: Readonly<Record<Mode, string>> = { naive: 'the naive pipeline', sluice: 'Sluice' };
const START = { naive: startNaive, sluice: startSluice } as const;

const CONNECTIONS = 64;

/** Time from the first request until the last action is applied and logged. Both pipelines alternate on each store. */
export async function endToEndFigure({ quick, ...context }: FigureContext): Promise<FigureResult> {
  const [usual, actions, warmUpSeconds] = quick ? [1, 3_000, 0] : [5, 30_000, WARM_UP_SECONDS];
  const settings = { actions, connections: CONNECTIONS, warmUpSeconds };
  const tables: Table[] = [];
  const data: Record<string, Runs> = {};
  for (const store of storesAtHand()) {
    const measure = (mode: Mode) =>
      onStage(async (keep) => runThrough(keep, await START[mode](keep, store), settings));
    const runs = await inRounds(context.rounds ?? usual, MODES, measure);
    data[storeTitle(store)] = runs;
    const title = `first request to last action applied and logged, ${count(actions)} actions, ${storeTitle(store)}`;
    tables.push({ title, text: tableOf(runs) });
  }
  return { tables, data };
}

function tableOf(runs: Runs): string {
  const rows = MODES.map((mode) => {
    const own = runs[mode];
    const speeds = own.map((run) => run.actionsPerSecond);
    const against = speeds.map((speed, i) => speed / (runs.naive[i] as RunThrough).actionsPerSecond);
    const cpu = (part: keyof RunThrough['cpuUs']) => count(median(own.map((run) => run.cpuUs[part])));
    return [
      MODE_NAMES[mode],
      count(median(speeds)),
      percent(spread(speeds)),
      ratio(median(against)),
      count(median(own.map((run) => run.actions / run.sendSeconds))),
      ...[cpu('ingress'), cpu('redis'), cpu('worker'), cpu('store')],
    ];
  });
  const head = ['', 'actions/s', 'spread', '/naive', 'answers/s'];
  return formatTable([...head, 'ingress CPU us', 'Redis', 'worker', 'store'], rows);
}
