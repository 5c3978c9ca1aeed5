import type { FigureContext, Table } from './figure.ts';
import { type OutboundPipeline, startOutbound } from './outbound-pipeline.ts';
import { type ReceiverReport, waitReceived } from './receiver.ts';
import { WARM_UP_SECONDS } from './run-through.ts';
import { startSender } from './sender.ts';
import { type Keep, onStage } from './stage.ts';
import { median, percentile } from './stats.ts';
import { count, formatTable, ms } from './table.ts';

const MOST_CONNECTIONS = 32;
/** An ingress ends connections that send nothing for seconds, so each must have enough requests. */
const REQUESTS_A_SECOND = 4;

export interface Lag {
  readonly rate: number;
  readonly keptP50Ms: number;
  readonly keptP99Ms: number;
  readonly admittedP50Ms: number;
  readonly admittedP99Ms: number;
}

export interface EvenLoad {
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Receipts at the receiver for each request. */
  readonly receipts: number;
}

/** Time from a change until its first byte at the receiver, at half of the most. */
export async function measureLag(
  { quick, step, ...context }: FigureContext,
  most: number,
): Promise<{ tables: readonly Table[]; data: readonly Lag[] }> {
  const [usual, seconds, warmUpSeconds] = quick ? [1, 3, 1] : [3, 20, WARM_UP_SECONDS];
  const rounds = context.rounds ?? usual;
  const runs: Lag[] = [];
  for (let round = 1; round <= rounds; round++)
    runs.push(
      await step(`lag, round ${round}`, () =>
        onStage(async (keep) => {
          const pipeline = await startOutbound(keep, { store: 'embedded', subscriptions: 1 });
          return lagOf(keep, pipeline, { rate: most / 2, seconds, warmUpSeconds, receipts: 1 });
        }),
      ),
    );
  const of = (value: (run: Lag) => number) => ms(median(runs.map(value)));
  const text = formatTable(
    ['', 'p50 ms', 'p99 ms'],
    [
      ['from the change to the receiver', of((run) => run.keptP50Ms), of((run) => run.keptP99Ms)],
      ['from the admission to the receiver', of((run) => run.admittedP50Ms), of((run) => run.admittedP99Ms)],
    ],
  );
  return { tables: [{ title: `lag of messages, at half of ${count(most)}/s`, text }], data: runs };
}

/** Sends evenly spaced requests and waits for all their messages. */
export async function lagOf(
  keep: Keep,
  pipeline: OutboundPipeline,
  { rate, seconds, warmUpSeconds, receipts }: EvenLoad,
): Promise<Lag> {
  const report = await sendEvenly(keep, pipeline, { rate, seconds, warmUpSeconds, receipts });
  const { sinceKept, sinceAdmitted } = report;
  return {
    rate,
    keptP50Ms: percentile(sinceKept, 0.5),
    keptP99Ms: percentile(sinceKept, 0.99),
    admittedP50Ms: percentile(sinceAdmitted, 0.5),
    admittedP99Ms: percentile(sinceAdmitted, 0.99),
  };
}

async function sendEvenly(
  keep: Keep,
  { url, receiver, sources }: OutboundPipeline,
  { rate, seconds, warmUpSeconds, receipts }: EvenLoad,
): Promise<ReceiverReport> {
  const sender = await keep(startSender({ targets: sources }));
  const connections = Math.min(Math.ceil(rate / REQUESTS_A_SECOND), MOST_CONNECTIONS);
  const order = { mode: 'open', urls: [url], connections, rate } as const;
  if (warmUpSeconds > 0) {
    const warm = await sender.send({ ...order, seconds: warmUpSeconds });
    await waitReceived(receiver, warm.answered * receipts);
  }
  await receiver.ask('reset');
  const sent = await sender.send({ ...order, seconds });
  await waitReceived(receiver, sent.answered * receipts);
  return receiver.ask('report');
}
