import { join } from 'node:path';
import { type FigureContext, type FigureResult, inRounds } from './figure.ts';
import { type SluiceOutbound, startOutbound } from './outbound-pipeline.ts';
import { waitReceived } from './receiver.ts';
import { WARM_UP_SECONDS } from './run-through.ts';
import { startSender } from './sender.ts';
import { presign } from './sign-requests.ts';
import { type Keep, onStage } from './stage.ts';
import { median, percentile } from './stats.ts';
import { count, formatTable, ms } from './table.ts';
import { temporaryFolder } from './temporary-folder.ts';

const MOST_CONNECTIONS = 32;
/** An ingress ends connections that send nothing for seconds, so each must have enough requests. */
const REQUESTS_A_SECOND = 4;

export interface Lag {
  readonly keptP50Ms: number;
  readonly keptP99Ms: number;
  readonly admittedP50Ms: number;
  readonly admittedP99Ms: number;
}

interface EvenLoad {
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Receipts at the receiver for each request. */
  readonly receipts: number;
}

/** Time from a change until its first byte at the receiver, at half of the most. */
export async function measureLag({ quick, ...context }: FigureContext, most: number): Promise<FigureResult> {
  const [usual, seconds, warmUpSeconds] = quick ? [1, 3, 1] : [3, 20, WARM_UP_SECONDS];
  const { lag: runs } = await inRounds(context.rounds ?? usual, ['lag'], () =>
    onStage(async (keep) => {
      const pipeline = await startOutbound(keep, { subscriptions: 1 });
      return lagOf(keep, pipeline, { rate: most / 2, seconds, warmUpSeconds, receipts: 1 });
    }),
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
  { url, receiver, sources }: SluiceOutbound,
  { rate, seconds, warmUpSeconds, receipts }: EvenLoad,
): Promise<Lag> {
  const file = join((await keep(temporaryFolder())).path, 'requests');
  await presign({ file, count: Math.ceil(rate * (warmUpSeconds + seconds)) + 2, targets: sources });
  const sender = await keep(startSender(file));
  const connections = Math.min(Math.ceil(rate / REQUESTS_A_SECOND), MOST_CONNECTIONS);
  const send = async (duration: number) => {
    const { answered } = await sender.send({ url, connections, rate, seconds: duration });
    await waitReceived(receiver, answered * receipts);
  };
  await send(warmUpSeconds);
  await receiver.ask('reset');
  await send(seconds);
  const { sinceKept, sinceAdmitted } = await receiver.ask('report');
  return {
    keptP50Ms: percentile(sinceKept, 0.5),
    keptP99Ms: percentile(sinceKept, 0.99),
    admittedP50Ms: percentile(sinceAdmitted, 0.5),
    admittedP99Ms: percentile(sinceAdmitted, 0.99),
  };
}
