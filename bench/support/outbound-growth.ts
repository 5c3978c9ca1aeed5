import { deliverThrough, type Through } from './deliver-through.ts';
import { type FigureContext, type FigureResult, inRounds } from './figure.ts';
import { OUTBOUND_PARTS, startOutbound } from './outbound-pipeline.ts';
import { onStage } from './stage.ts';
import { median } from './stats.ts';
import { count, formatTable, ratio } from './table.ts';

/** Accounts, and the subscriptions of each. An event goes to all of its account. */
const SIZES = { '10': [1, 10], '1,000': [1, 1_000], '10,000': [100, 100], '100,000': [100, 1_000] } as const;
type Size = keyof typeof SIZES;

/** The same number of messages at each size. An event has a share of the CPU of its messages, so few subscriptions cost most. */
export async function measureGrowth({ quick, ...context }: FigureContext): Promise<FigureResult> {
  const sizes: readonly Size[] = quick ? ['10', '10,000'] : ['10', '1,000', '100,000'];
  const [usual, messages] = quick ? [1, 10_000] : [3, 100_000];
  const runs = await inRounds(context.rounds ?? usual, sizes, (size) =>
    onStage(async (keep) => {
      const [accounts, subscriptions] = SIZES[size];
      const pipeline = await startOutbound(keep, { subscriptions, accounts });
      const publishes = Math.round(messages / subscriptions);
      return deliverThrough(keep, pipeline, {
        publishes,
        receipts: subscriptions,
        connections: 32,
        warmUpSeconds: 0,
      });
    }),
  );
  const middle = (size: Size, value: (run: Through) => number) => median(runs[size].map(value));
  const smallest = middle('10', (run) => run.cpuSum);
  const rows = sizes.map((size) => [
    size,
    count(middle(size, (run) => run.perSecond)),
    ...OUTBOUND_PARTS.map((part) => count(middle(size, (run) => run.cpuUs[part]))),
    count(middle(size, (run) => run.cpuSum)),
    ratio(middle(size, (run) => run.cpuSum) / smallest),
  ]);
  const head = ['subscriptions', 'messages/s', ...OUTBOUND_PARTS, 'all', '/ smallest'];
  return {
    tables: [{ title: 'CPU us of a message by subscriptions', text: formatTable(head, rows) }],
    data: runs,
  };
}
