import { once } from 'node:events';
import { deliverThrough, type Through } from './deliver-through.ts';
import type { FigureContext, Table } from './figure.ts';
import { OUTBOUND_PARTS } from './outbound-parts.ts';
import { usePeer } from './outbound-peer.ts';
import {
  type OutboundPipeline,
  startDirectOutbound,
  startNaiveOutbound,
  startOutbound,
} from './outbound-pipeline.ts';
import type { Peer } from './peer-options.ts';
import { startProgram } from './processes.ts';
import { startBenchReceiver } from './receiver.ts';
import { WARM_UP_SECONDS } from './run-through.ts';
import { type Keep, onStage } from './stage.ts';
import { median, spread } from './stats.ts';
import { count, formatTable, percent, ratio } from './table.ts';

/** The peers' figures have as many publishers over HTTP. */
const CONNECTIONS = 32;

type Start = (keep: Keep) => Promise<OutboundPipeline>;
interface Way {
  readonly name: string;
  readonly receipts: 0 | 1;
  readonly start: Start;
}

export interface Rates {
  readonly tables: readonly Table[];
  readonly data: unknown;
  /** Messages a second of Sluice. */
  readonly most: number;
}

/** Messages a second from publish to receipt, and what they cost: Sluice, the naive pipeline, a peer, and the floor. */
export async function measureRates({ quick, step, peer, ...context }: FigureContext): Promise<Rates> {
  const [usual, publishes, warmUpSeconds] = quick ? [1, 2_000, 0] : [5, 20_000, WARM_UP_SECONDS];
  const rounds = context.rounds ?? usual;
  const ways = waysOf(peer);
  const runs = new Map<string, Through[]>(ways.map(({ name }) => [name, []]));
  const floor: { perSecond: number; cpuUs: number }[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const { name, receipts, start } of ways) {
      const measure = () =>
        onStage(async (keep) =>
          deliverThrough(keep, await start(keep), {
            ...{ publishes, receipts, connections: CONNECTIONS, warmUpSeconds },
          }),
        );
      runs.get(name)?.push(await step(`${name}, round ${round}`, measure));
    }
    floor.push(await step(`floor, round ${round}`, () => measureFloor(quick ? 5_000 : 100_000)));
  }
  const of = (name: string) => runs.get(name) as readonly Through[];
  return {
    tables: [
      { title: 'messages, from publish to receipt, one subscription', text: ratesTable(runs, floor) },
      { title: 'requests, with and without a subscription to all events', text: ingestTable(of) },
    ],
    data: { runs: Object.fromEntries(runs), floor },
    most: median(of(SLUICE).map(({ perSecond }) => perSecond)),
  };
}

const SLUICE = 'Sluice';
const WITHOUT = 'Sluice, no subscription';
const NAIVE = 'naive pipeline';
const DIRECT = 'Sluice, direct publisher';
const PEER = 'peer';

function waysOf(peer: Peer | undefined): readonly Way[] {
  const sluice = (subscriptions: 0 | 1): Start => {
    return (keep) => startOutbound(keep, { store: 'embedded', subscriptions });
  };
  return [
    { name: NAIVE, receipts: 1, start: (keep) => startNaiveOutbound(keep, 'embedded') },
    { name: SLUICE, receipts: 1, start: sluice(1) },
    { name: DIRECT, receipts: 1, start: (keep) => startDirectOutbound(keep, 'embedded') },
    { name: WITHOUT, receipts: 0, start: sluice(0) },
    ...(peer === undefined
      ? []
      : [{ name: PEER, receipts: 1 as const, start: (keep: Keep) => usePeer(keep, peer) }]),
  ];
}

/** One process that signs and sends, without a queue or a log. */
function measureFloor(messages: number): Promise<{ perSecond: number; cpuUs: number }> {
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
    const before = await sender.cpuSeconds();
    const seconds = await run(messages);
    return {
      perSecond: messages / seconds,
      cpuUs: (((await sender.cpuSeconds()) - before) * 1e6) / messages,
    };
  });
}

function ratesTable(
  runs: ReadonlyMap<string, readonly Through[]>,
  floor: readonly { perSecond: number; cpuUs: number }[],
): string {
  const naive = runs.get(NAIVE) as readonly Through[];
  const rows = [...runs].flatMap(([name, own]) => {
    if (name === WITHOUT) return [];
    const middle = (value: (run: Through) => number) => median(own.map(value));
    const against = (value: (run: Through) => number) =>
      ratio(median(own.map((run, i) => value(run) / value(naive[i] as Through))));
    return [
      [
        name,
        count(middle((run) => run.perSecond)),
        percent(spread(own.map((run) => run.perSecond))),
        against((run) => run.perSecond),
        ...(own.some((run) => Number.isNaN(run.cpuSum))
          ? ['not counted']
          : [
              count(middle((run) => run.cpuSum)),
              against((run) => run.cpuSum),
              ...OUTBOUND_PARTS.map((part) => count(middle((run) => run.cpuUs[part]))),
            ]),
      ],
    ];
  });
  const bare = median(floor.map(({ perSecond }) => perSecond));
  rows.push(['floor', count(bare), '', '', count(median(floor.map(({ cpuUs }) => cpuUs)))]);
  const sluice = runs.get(SLUICE) as readonly Through[];
  rows.push(...againstPeer(runs.get(PEER) ?? [], sluice));
  rows.push([
    'Sluice / floor',
    ratio(median(sluice.map((run, i) => run.perSecond / (floor[i]?.perSecond ?? bare)))),
  ]);
  return formatTable(['', 'messages/s', 'spread', '/naive', 'CPU us', '/naive', ...OUTBOUND_PARTS], rows);
}

/** Sluice's figures as ratios of the peer's in the same round. */
function againstPeer(peer: readonly Through[], sluice: readonly Through[]): string[][] {
  if (peer.length === 0) return [];
  const of = (value: (run: Through) => number) =>
    median(sluice.map((run, i) => value(run) / value(peer[i] as Through)));
  const cpu = of((run) => run.cpuSum);
  return [['Sluice / peer', ratio(of((run) => run.perSecond)), '', '', Number.isNaN(cpu) ? '' : ratio(cpu)]];
}

function ingestTable(of: (name: string) => readonly Through[]): string {
  const [with1, without] = [of(SLUICE), of(WITHOUT)];
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
