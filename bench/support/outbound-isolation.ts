import { deliverThrough } from './deliver-through.ts';
import { type FigureContext, type FigureResult, inRounds } from './figure.ts';
import { type Lag, lagOf } from './outbound-lag.ts';
import { startOutbound } from './outbound-pipeline.ts';
import { onStage } from './stage.ts';
import { median } from './stats.ts';
import { count, formatTable, ms, ratio } from './table.ts';

/** Each event goes to all subscriptions. A dead receiver never responds, so each of its attempts lasts 15 s. */
export async function measureIsolation(context: FigureContext): Promise<FigureResult> {
  const [lags, rates] = [await measureLags(context), await measureRatesBesideDead(context)];
  return { tables: [...lags.tables, ...rates.tables], data: { lags: lags.data, rates: rates.data } };
}

async function measureLags({ quick, ...context }: FigureContext): Promise<FigureResult> {
  const [subscriptions, usual, rate, seconds] = quick ? [100, 1, 2, 4] : [1_000, 3, 1, 30];
  const deadCounts = [0, subscriptions / 100, subscriptions / 10];
  const runs = await inRounds(context.rounds ?? usual, deadCounts.map(nameOf), (name) =>
    onStage(async (keep) => {
      const dead = Number.parseInt(name, 10);
      const pipeline = await startOutbound(keep, { subscriptions, dead });
      const receipts = subscriptions - dead;
      return lagOf(keep, pipeline, { rate, seconds, receipts, warmUpSeconds: quick ? 2 : 20 });
    }),
  );
  const middle = (dead: number, value: (lag: Lag) => number) => median((runs[nameOf(dead)] ?? []).map(value));
  const rows = deadCounts.map((dead) => {
    const p99 = middle(dead, (lag) => lag.keptP99Ms);
    const calm = middle(0, (lag) => lag.keptP99Ms);
    return [nameOf(dead), ms(middle(dead, (lag) => lag.keptP50Ms)), ms(p99), ratio(p99 / calm)];
  });
  const title = `lag of the living, ${count(subscriptions)} subscriptions, ${rate} event/s to all`;
  return { tables: [{ title, text: formatTable(['', 'p50 ms', 'p99 ms', '/calm'], rows) }], data: runs };
}

/** Also in the short form there are more dead receivers than turns of a dispatcher for living ones. */
async function measureRatesBesideDead({ quick, ...context }: FigureContext): Promise<FigureResult> {
  const [subscriptions, usual, publishes] = quick ? [3_000, 1, 4] : [10_000, 3, 10];
  const deadCounts = [0, subscriptions / 10];
  const runs = await inRounds(context.rounds ?? usual, deadCounts.map(nameOf), (name) =>
    onStage(async (keep) => {
      const dead = Number.parseInt(name, 10);
      const pipeline = await startOutbound(keep, { subscriptions, dead });
      const through = await deliverThrough(keep, pipeline, {
        publishes,
        receipts: subscriptions - dead,
        connections: 1,
        warmUpSeconds: 0,
      });
      return through.perSecond;
    }),
  );
  const of = (dead: number) => median(runs[nameOf(dead)] ?? []);
  const rows = deadCounts.map((dead) => [nameOf(dead), count(of(dead)), ratio(of(dead) / of(0))]);
  const title = `messages/s to the living, ${count(subscriptions)} subscriptions`;
  return { tables: [{ title, text: formatTable(['', 'messages/s', '/calm'], rows) }], data: runs };
}

const nameOf = (dead: number) => `${dead} dead`;
