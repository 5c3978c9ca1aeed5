import { join } from 'node:path';
import type { FigureContext, FigureResult } from '../support/figure.ts';
import {
  LEAD_REQUEST_NAMES,
  LEAD_REQUESTS,
  type LeadRequest,
  leadRequests,
} from '../support/lead-requests.ts';
import { type LeadServer, startCrud, startSluiceApi } from '../support/lead-servers.ts';
import { writeRequests } from '../support/requests-file.ts';
import { startFileSender } from '../support/sender.ts';
import { type Keep, onStage } from '../support/stage.ts';
import { median, spread } from '../support/stats.ts';
import { type StoreName, storesAtHand, storeTitle } from '../support/store.ts';
import { count, formatTable, ms, percent, ratio } from '../support/table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { wrk } from '../support/wrk.ts';

const MODES = ['crud', 'lists', 'sluice'] as const;
type Mode = (typeof MODES)[number];
const MODE_NAMES: Readonly<Record<Mode, string>> = {
  crud: 'Express + mongoose',
  lists: '... with an index for each list',
  sluice: 'Sluice',
};
const START: Readonly<Record<Mode, (keep: Keep, store: StoreName) => Promise<LeadServer>>> = {
  crud: startCrud,
  lists: (keep, store) => startCrud(keep, store, { lists: true }),
  sluice: startSluiceApi,
};

interface Run {
  readonly perSecond: number;
  readonly cpuUs: { readonly server: number; readonly redis: number; readonly store: number };
  /** At half of the rate above. */
  readonly halfP99Ms: number;
}
type Runs = Record<Mode, Run[]>;

const WARM_UP_SECONDS = 3;
/** More requests than a run can send, so that no new lead is sent twice. */
const REQUESTS_A_SECOND = 12_000;

/** Requests a second of the public API against a plain CRUD server of the same leads without any of its rules. */
export async function apiFigure({
  quick,
  rounds: wanted,
  connections,
  step,
}: FigureContext): Promise<FigureResult> {
  const [usual, seconds] = quick ? [1, 1] : [5, 5];
  const rounds = wanted ?? usual;
  const tables = [];
  const data: Record<string, Record<LeadRequest, Runs>> = {};
  for (const store of storesAtHand()) {
    const none = (): Runs => ({ crud: [], lists: [], sluice: [] });
    const runs: Record<LeadRequest, Runs> = { get: none(), list: none(), create: none(), match: none() };
    for (let round = 1; round <= rounds; round++)
      for (const mode of MODES) {
        const name = `${storeTitle(store)}, ${connections} connections, round ${round}, ${mode}`;
        const measured = await step(name, () => measure(mode, store, { seconds, connections }));
        for (const kind of LEAD_REQUESTS) runs[kind][mode].push(measured[kind]);
      }
    data[storeTitle(store)] = runs;
    tables.push({
      title: `the public API and plain CRUD, ${storeTitle(store)}, ${connections} connections`,
      text: tableOf(runs),
    });
  }
  return { tables, data };
}

interface Load {
  readonly seconds: number;
  readonly connections: number;
}

function measure(mode: Mode, store: StoreName, load: Load): Promise<Record<LeadRequest, Run>> {
  return onStage(async (keep) => {
    const { path } = await keep(temporaryFolder());
    const server = await START[mode](keep, store);
    const runs: Partial<Record<LeadRequest, Run>> = {};
    for (const kind of LEAD_REQUESTS) runs[kind] = await measureKind(kind, server, path, load);
    return runs as Record<LeadRequest, Run>;
  });
}

async function measureKind(
  kind: LeadRequest,
  running: LeadServer,
  folder: string,
  { seconds, connections }: Load,
): Promise<Run> {
  const { server, redis, store, ids, key } = running;
  const target = { host: new URL(server.url).host, ids, ...(key !== undefined && { key }) };
  const requests = join(folder, kind);
  // Reads repeat the same few requests.
  const amount =
    kind === 'get' || kind === 'list' ? ids.length : REQUESTS_A_SECOND * (WARM_UP_SECONDS + seconds);
  await writeRequests(requests, leadRequests(kind, target, amount, 0));
  const load = { url: server.url, requests, connections };
  const warm = await wrk({ ...load, seconds: WARM_UP_SECONDS });
  const cpu = async () => [
    await server.cpuSeconds(),
    (await redis?.cpuSeconds()) ?? 0,
    await store.cpuSeconds(),
  ];
  const before = await cpu();
  const result = await wrk({ ...load, seconds, from: warm.requests + connections });
  const after = await cpu();
  if (warm.not200 + result.not200 > 0) throw new Error(`${kind}: answers of 400 or above`);
  const us = (part: number) => (((after[part] as number) - (before[part] as number)) * 1e6) / result.requests;
  const halfP99Ms = await p99AtHalf(kind, {
    ...load,
    target,
    folder,
    seconds,
    rate: result.requestsPerSecond / 2,
  });
  return {
    perSecond: result.requestsPerSecond,
    cpuUs: { server: us(0), redis: us(1), store: us(2) },
    halfP99Ms,
  };
}

interface HalfLoad {
  readonly url: string;
  readonly target: Parameters<typeof leadRequests>[1];
  readonly folder: string;
  readonly seconds: number;
  readonly connections: number;
  readonly rate: number;
}

/** The p99 at a fixed rate, in milliseconds from when a request was due. */
async function p99AtHalf(
  kind: LeadRequest,
  { url, target, folder, seconds, connections, rate }: HalfLoad,
): Promise<number> {
  return onStage(async (keep) => {
    const file = join(folder, `${kind}-half`);
    await writeRequests(file, leadRequests(kind, target, Math.ceil(rate * seconds) + 1, 10_000_000));
    const sender = await keep(startFileSender(file));
    const order = { mode: 'open', urls: [url], connections, rate, seconds } as const;
    return (await sender.send(order)).p99Ms;
  });
}

function tableOf(runs: Readonly<Record<LeadRequest, Runs>>): string {
  const rows = LEAD_REQUESTS.flatMap((kind) =>
    MODES.map((mode) => {
      const own = runs[kind][mode];
      const against = (other: Mode) =>
        ratio(median(own.map((run, i) => run.perSecond / (runs[kind][other][i] as Run).perSecond)));
      const cpu = (part: keyof Run['cpuUs']) => count(median(own.map((run) => run.cpuUs[part])));
      return [
        `${LEAD_REQUEST_NAMES[kind]}, ${MODE_NAMES[mode]}`,
        count(median(own.map((run) => run.perSecond))),
        percent(spread(own.map((run) => run.perSecond))),
        against('crud'),
        against('lists'),
        cpu('server'),
        cpu('redis'),
        cpu('store'),
        ms(median(own.map((run) => run.halfP99Ms))),
      ];
    }),
  );
  const head = [
    '',
    'requests/s',
    'spread',
    '/plain',
    '/its lists',
    'CPU us: server',
    'Redis',
    'store',
    'p99 ms at half',
  ];
  return formatTable(head, rows);
}
