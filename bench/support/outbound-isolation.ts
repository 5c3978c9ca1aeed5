import { lineChart } from '../chart/line-chart.ts';
import { deliverThrough } from './deliver-through.ts';
import type { FigureContext, Table } from './figure.ts';
import { type Lag, lagOf } from './outbound-lag.ts';
import { startOutbound } from './outbound-pipeline.ts';
import { onStage } from './stage.ts';
import { median } from './stats.ts';
import { count, formatTable, ms, percent, ratio } from './table.ts';

interface Isolation {
  readonly tables: readonly Table[];
  readonly data: unknown;
  readonly charts: Readonly<Record<string, string>>;
}

/** Each event goes to all subscriptions. A dead receiver never responds, so each of its attempts lasts 15 s. */
export async function measureIsolation(context: FigureContext): Promise<Isolation> {
  const lags = await measureLags(context);
  const rates = await measureRatesBesideDead(context);
  const chart = lineChart({
    title: 'Lag of the living beside dead receivers',
    ...{ xTitle: 'dead of 1,000 receivers', yTitle: 'ms' },
    series: [
      { name: 'p50', points: lags.points.map(({ dead, lag }) => [dead, lag.keptP50Ms] as const) },
      { name: 'p99', points: lags.points.map(({ dead, lag }) => [dead, lag.keptP99Ms] as const) },
    ],
  });
  return {
    tables: [lags.table, rates.table],
    data: { lags: lags.points, rates: rates.runs },
    charts: { 'outbound-isolation.svg': chart },
  };
}

interface LagBeside {
  readonly dead: number;
  readonly lag: Lag;
}

async function measureLags({ quick, step, ...context }: FigureContext) {
  const [subscriptions, usual, rate, seconds] = quick ? [100, 1, 2, 4] : [1_000, 3, 1, 30];
  const rounds = context.rounds ?? usual;
  const shares = [0, 0.01, 0.1];
  const runs: LagBeside[] = [];
  for (let round = 1; round <= rounds; round++)
    for (const share of shares) {
      const dead = Math.round(subscriptions * share);
      const measure = () =>
        onStage(async (keep) => {
          const pipeline = await startOutbound(keep, { store: 'embedded', subscriptions, dead });
          const receipts = subscriptions - dead;
          return lagOf(keep, pipeline, { rate, seconds, receipts, warmUpSeconds: quick ? 2 : 20 });
        });
      const name = `${count(dead)} of ${count(subscriptions)} dead, round ${round}`;
      runs.push({ dead, lag: await step(name, measure) });
    }
  const points = shares.map((share) => {
    const own = runs.filter(({ dead }) => dead === Math.round(subscriptions * share));
    const middle = (value: (lag: Lag) => number) => median(own.map(({ lag }) => value(lag)));
    const [keptP50Ms, keptP99Ms] = [middle((lag) => lag.keptP50Ms), middle((lag) => lag.keptP99Ms)];
    return { dead: Math.round(subscriptions * share), lag: { keptP50Ms, keptP99Ms } };
  });
  const calm = points[0]?.lag.keptP99Ms ?? Number.NaN;
  const rows = points.map(({ dead, lag }) => [
    count(dead),
    ms(lag.keptP50Ms),
    ms(lag.keptP99Ms),
    ratio(lag.keptP99Ms / calm),
  ]);
  const title = `lag of the living, ${count(subscriptions)} subscriptions, ${rate} event/s to all`;
  return { points, table: { title, text: formatTable(['dead', 'p50 ms', 'p99 ms', '/calm'], rows) } };
}

/** Also in the short form there are more dead receivers than turns of a dispatcher for living ones. */
async function measureRatesBesideDead({ quick, step, ...context }: FigureContext) {
  const [subscriptions, usual, publishes] = quick ? [3_000, 1, 4] : [10_000, 3, 10];
  const rounds = context.rounds ?? usual;
  const runs: { readonly dead: number; readonly perSecond: number }[] = [];
  const deadCounts = [0, subscriptions / 10];
  for (let round = 1; round <= rounds; round++)
    for (const dead of deadCounts) {
      const measure = () =>
        onStage(async (keep) => {
          const pipeline = await startOutbound(keep, { store: 'embedded', subscriptions, dead });
          const receipts = subscriptions - dead;
          const through = await deliverThrough(keep, pipeline, {
            ...{ publishes, receipts, connections: 1, warmUpSeconds: 0 },
          });
          return through.perSecond;
        });
      const name = `messages/s, ${count(dead)} of ${count(subscriptions)} dead, round ${round}`;
      runs.push({ dead, perSecond: await step(name, measure) });
    }
  const of = (wanted: number) =>
    median(runs.filter(({ dead }) => dead === wanted).map(({ perSecond }) => perSecond));
  const rows = deadCounts.map((dead) => [
    percent(dead / subscriptions),
    count(of(dead)),
    ratio(of(dead) / of(0)),
  ]);
  const title = `messages/s to the living, ${count(subscriptions)} subscriptions`;
  return { runs, table: { title, text: formatTable(['dead', 'messages/s', '/calm'], rows) } };
}
