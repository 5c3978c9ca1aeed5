import { lineChart } from '../chart/line-chart.ts';
import { deliverThrough, type Through } from './deliver-through.ts';
import type { FigureContext, Table } from './figure.ts';
import { OUTBOUND_PARTS } from './outbound-parts.ts';
import { startOutbound } from './outbound-pipeline.ts';
import { onStage } from './stage.ts';
import { median } from './stats.ts';
import { count, formatTable, ratio } from './table.ts';

interface Size {
  readonly accounts: number;
  /** Subscriptions of each account. An event goes to all of its account. */
  readonly each: number;
}

/** The same number of messages at each size. An event has a share of the CPU of its messages, so few subscriptions cost most. */
export async function measureGrowth({ quick, step, ...context }: FigureContext): Promise<{
  tables: readonly Table[];
  data: unknown;
  charts: Readonly<Record<string, string>>;
}> {
  const sizes: readonly Size[] = quick
    ? [
        { accounts: 1, each: 10 },
        { accounts: 100, each: 100 },
      ]
    : [
        { accounts: 1, each: 10 },
        { accounts: 1, each: 1_000 },
        { accounts: 100, each: 1_000 },
      ];
  const [usual, messages] = quick ? [1, 10_000] : [3, 100_000];
  const rounds = context.rounds ?? usual;
  const runs = new Map<Size, Through[]>(sizes.map((size) => [size, []]));
  for (let round = 1; round <= rounds; round++)
    for (const size of sizes) {
      const { accounts, each: subscriptions } = size;
      const measure = () =>
        onStage(async (keep) => {
          const pipeline = await startOutbound(keep, { store: 'embedded', subscriptions, accounts });
          const publishes = Math.round(messages / subscriptions);
          return deliverThrough(keep, pipeline, {
            ...{ publishes, receipts: subscriptions, connections: 32, warmUpSeconds: 0 },
          });
        });
      const name = `${count(accounts * subscriptions)} subscriptions, round ${round}`;
      runs.get(size)?.push(await step(name, measure));
    }
  const points = [...runs].map(([{ accounts, each }, own]) => {
    const of = (value: (run: Through) => number) => median(own.map(value));
    return {
      subscriptions: accounts * each,
      perSecond: of((run) => run.perSecond),
      cpuSum: of((run) => run.cpuSum),
      cpuUs: OUTBOUND_PARTS.map((part) => of((run) => run.cpuUs[part])),
    };
  });
  const smallest = points[0]?.cpuSum ?? Number.NaN;
  const rows = points.map((point) => [
    count(point.subscriptions),
    count(point.perSecond),
    ...point.cpuUs.map(count),
    count(point.cpuSum),
    ratio(point.cpuSum / smallest),
  ]);
  const title = 'Cost of a message by subscriptions';
  const series = OUTBOUND_PARTS.map((name, part) => ({
    name,
    points: points.map(({ subscriptions, cpuUs }) => [subscriptions, cpuUs[part] as number] as const),
  }));
  const chart = lineChart({ title, xTitle: 'subscriptions', yTitle: 'CPU us', series, logX: true });
  const head = ['subscriptions', 'messages/s', ...OUTBOUND_PARTS, 'all', '/ smallest'];
  return {
    tables: [{ title, text: formatTable(head, rows) }],
    data: points,
    charts: { 'growth-subscriptions.svg': chart },
  };
}
