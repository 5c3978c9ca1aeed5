import type { FigureContext, FigureResult } from '../support/figure.ts';
import { expectRows, startSluice } from '../support/pipeline.ts';
import { type RunThroughSettings, runThrough, WARM_UP_SECONDS } from '../support/run-through.ts';
import { startSender } from '../support/sender.ts';
import { onStage } from '../support/stage.ts';
import { median, percentile } from '../support/stats.ts';
import { type StoreName, storesAtHand, storeTitle } from '../support/store.ts';
import { count, formatTable, ms, percent } from '../support/table.ts';
import { waitApplied } from '../support/wait-applied.ts';

const CONNECTIONS = 64;
/** The aim in seconds, which is a bound of the worker's histogram. */
const AIM_SECONDS = 0.1;

interface Lag {
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly answerP99Ms: number;
  /** Share of actions that were logged within the aim after their receipt, by the worker's histogram. */
  readonly loggedInTime: number;
}

interface Evenly {
  readonly rate: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

/** Time from the 200 until the action is applied, at half the rate that can be sustained. */
export async function lagFigure({ quick, step }: FigureContext): Promise<FigureResult> {
  const [rounds, seconds, actions, warmUpSeconds] = quick
    ? [1, 5, 3_000, 1]
    : [3, 30, 30_000, WARM_UP_SECONDS];
  const tables = [];
  const data: Record<string, unknown> = {};
  for (const store of storesAtHand()) {
    const title = storeTitle(store);
    const most = await step(`${title}, the most`, () =>
      maximum(store, { actions, connections: CONNECTIONS, warmUpSeconds }),
    );
    const runs: Lag[] = [];
    for (let round = 1; round <= rounds; round++)
      runs.push(
        await step(`${title}, round ${round}`, () =>
          measure(store, { rate: most / 2, seconds, warmUpSeconds }),
        ),
      );
    data[title] = { most, runs };
    tables.push({
      title: `from the 200 until applied, at half of ${count(most)} actions/s, ${title}`,
      text: tableOf(runs),
    });
  }
  return { tables, data };
}

function maximum(store: StoreName, settings: RunThroughSettings): Promise<number> {
  return onStage(async (keep) => {
    const pipeline = await startSluice(keep, { store });
    return (await runThrough(keep, pipeline, settings)).actionsPerSecond;
  });
}

/** An action counts as applied when the worker creates its log row, after it has written the event. */
function measure(store: StoreName, { rate, seconds, warmUpSeconds }: Evenly): Promise<Lag> {
  return onStage(async (keep) => {
    const pipeline = await startSluice(keep, { store });
    const { urls, sources, store: running, metrics } = pipeline;
    const sender = await keep(startSender({ targets: sources, events: Math.ceil(rate * 4) }));
    const order = { mode: 'open', urls, connections: CONNECTIONS, rate } as const;
    const warm = await sender.send({ ...order, seconds: warmUpSeconds });
    await waitApplied(warm.answered, pipeline);
    const before = await logged(await metrics());
    const sent = await sender.send({ ...order, seconds, tell: 'each' });
    await waitApplied(warm.answered + sent.answered, pipeline);
    await expectRows(running.db, warm.answered + sent.answered);
    const after = await logged(await metrics());
    const rows = running.db.collection<{ _id: string; applied_at: number }>('deliveries');
    const appliedAt = new Map<string, number>();
    for await (const { _id, applied_at } of rows.find({}, { projection: { applied_at: 1 } }))
      appliedAt.set(_id, applied_at);
    const lags = sent.answers.map(({ deliveryId, at }) => {
      const applied = appliedAt.get(deliveryId);
      if (applied === undefined) throw new Error(`${deliveryId} was accepted and is not in the log`);
      return Math.max(0, applied - at);
    });
    return {
      rate,
      p50Ms: percentile(lags, 0.5),
      p99Ms: percentile(lags, 0.99),
      answerP99Ms: sent.p99Ms,
      loggedInTime: (after.inTime - before.inTime) / (after.all - before.all),
    };
  });
}

function logged(workers: readonly { readonly lag: ReadonlyMap<number, number> }[]) {
  const sum = (bound: number) => workers.reduce((total, { lag }) => total + (lag.get(bound) ?? 0), 0);
  return { inTime: sum(AIM_SECONDS), all: sum(Number.POSITIVE_INFINITY) };
}

function tableOf(runs: readonly Lag[]): string {
  const rows = runs.map((run, i) => [`round ${i + 1}`, run]) as [string, Lag][];
  const of = (value: (run: Lag) => number) => median(runs.map(value));
  const middle: Lag = {
    rate: of(({ rate }) => rate),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    answerP99Ms: of(({ answerP99Ms }) => answerP99Ms),
    loggedInTime: of(({ loggedInTime }) => loggedInTime),
  };
  const head = ['', 'actions/s', 'lag p50 ms', 'lag p99 ms', 'answer p99 ms', 'received to logged in 100 ms'];
  return formatTable(
    head,
    [...rows, ['median', middle] as const].map(([name, run]) => [
      name,
      count(run.rate),
      ms(run.p50Ms),
      ms(run.p99Ms),
      ms(run.answerP99Ms),
      percent(run.loggedInTime),
    ]),
  );
}
