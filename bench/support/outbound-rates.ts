import { once } from 'node:events';
import { deliverThrough, type Through } from './deliver-through.ts';
import { type FigureContext, type FigureResult, inRounds } from './figure.ts';
import {
  OUTBOUND_PARTS,
  type OutboundPipeline,
  startNaiveOutbound,
  startOutbound,
} from './outbound-pipeline.ts';
import { startProgram } from './processes.ts';
import { startBenchReceiver } from './receiver.ts';
import { WARM_UP_SECONDS } from './run-through.ts';
import { type Keep, onStage } from './stage.ts';
import { median, spread } from './stats.ts';
import { count, formatTable, percent, ratio } from './table.ts';

/** The published figures of other programs have as many publishers over HTTP. */
const CONNECTIONS = 32;

const WAYS = ['naive pipeline', 'Sluice', 'Sluice, no subscription', 'floor'] as const;
type Way = (typeof WAYS)[number];
type Runs = Readonly<Record<Way, readonly Through[]>>;

/** Messages a second from publish to receipt, and what they cost: Sluice, the naive pipeline and the floor. `most`: those of Sluice. */
export async function measureRates({
  quick,
  ...context
}: FigureContext): Promise<FigureResult & { readonly most: number }> {
  const [usual, publishes, warmUpSeconds] = quick ? [1, 2_000, 0] : [5, 20_000, WARM_UP_SECONDS];
  const through = (receipts: 0 | 1, start: (keep: Keep) => Promise<OutboundPipeline>) =>
    onStage(async (keep) => {
      const pipeline = await start(keep);
      return deliverThrough(keep, pipeline, { publishes, receipts, connections: CONNECTIONS, warmUpSeconds });
    });
  const ways: Readonly<Record<Way, () => Promise<Through>>> = {
    'naive pipeline': () => through(1, startNaiveOutbound),
    Sluice: () => through(1, (keep) => startOutbound(keep, { subscriptions: 1 })),
    'Sluice, no subscription': () => through(0, (keep) => startOutbound(keep, { subscriptions: 0 })),
    floor: () => measureFloor(quick ? 5_000 : 100_000),
  };
  const runs = await inRounds(context.rounds ?? usual, WAYS, (way) => ways[way]());
  return {
    tables: [
      { title: 'messages, from publish to receipt, one subscription', text: ratesTable(runs) },
      { title: 'requests, with and without a subscription to all events', text: ingestTable(runs) },
    ],
    data: runs,
    most: median(runs.Sluice.map(({ perSecond }) => perSecond)),
  };
}

/** One process that signs and sends, without a queue or a log. It counts as the dispatcher. */
function measureFloor(messages: number): Promise<Through> {
  return onStage(async (keep) => {
    const receiver = await keep(startBenchReceiver());
    const sender = await keep(startProgram('outbound-floor', { TARGET: `${receiver.url}/hook` }));
    const run = async (from: number) => {
      const since = performance.now();
      sender.child.send({ from, count: messages });
      await once(sender.child, 'message');
      return (performance.now() - since) / 1000;
    };
    await run(0);
    await receiver.ask('reset');
    const before = await sender.cpuSeconds();
    const seconds = await run(messages);
    const cpuSum = (((await sender.cpuSeconds()) - before) * 1e6) / messages;
    const { requests, received } = await receiver.ask('count');
    return {
      messages,
      seconds,
      perSecond: messages / seconds,
      cpuUs: { ingress: 0, worker: 0, dispatcher: cpuSum, redis: 0, store: 0 },
      cpuSum,
      repeated: requests - received,
      answeredPerSecond: 0,
      loggedPerSecond: 0,
    };
  });
}

function ratesTable(runs: Runs): string {
  const rows = (['naive pipeline', 'Sluice', 'floor'] as const).map((way) => {
    const own = runs[way];
    const middle = (value: (run: Through) => number) => count(median(own.map(value)));
    const against = (other: Way, value: (run: Through) => number) =>
      ratio(median(own.map((run, i) => value(run) / value(runs[other][i] as Through))));
    return [
      way,
      middle((run) => run.perSecond),
      percent(spread(own.map((run) => run.perSecond))),
      against('naive pipeline', (run) => run.perSecond),
      against('floor', (run) => run.perSecond),
      middle((run) => run.cpuSum),
      against('naive pipeline', (run) => run.cpuSum),
      ...OUTBOUND_PARTS.map((part) => middle((run) => run.cpuUs[part])),
    ];
  });
  const head = ['', 'messages/s', 'spread', '/naive', '/floor', 'CPU us', '/naive'];
  return formatTable([...head, ...OUTBOUND_PARTS], rows);
}

function ingestTable({ Sluice: with1, 'Sluice, no subscription': without }: Runs): string {
  const row = (title: string, value: (run: Through) => number) => [
    title,
    count(median(without.map(value))),
    count(median(with1.map(value))),
    ratio(median(with1.map((run, i) => value(run) / value(without[i] as Through)))),
  ];
  return formatTable(
    ['', 'without', 'with', 'ratio'],
    [
      row('requests/s to the 200', (run) => run.answeredPerSecond),
      row('requests/s to the log', (run) => run.loggedPerSecond),
      row('ingress CPU us', (run) => run.cpuUs.ingress),
      row('worker CPU us', (run) => run.cpuUs.worker),
      row('Redis CPU us', (run) => run.cpuUs.redis),
      row('store CPU us', (run) => run.cpuUs.store),
      row('CPU us of all parts', (run) => run.cpuSum),
    ],
  );
}
