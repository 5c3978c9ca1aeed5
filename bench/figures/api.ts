import { join } from 'node:path';
import { type CpuOf, cpuOf, cpuOfEach } from '../support/cpu.ts';
import { type FigureContext, type FigureResult, inRounds, type Table } from '../support/figure.ts';
import {
  LEAD_REQUEST_NAMES,
  LEAD_REQUESTS,
  type LeadRequest,
  leadRequests,
} from '../support/lead-requests.ts';
import { type LeadServer, startCrud, startSluiceApi } from '../support/lead-servers.ts';
import { writeRequests } from '../support/requests-file.ts';
import { startSender } from '../support/sender.ts';
import { onStage } from '../support/stage.ts';
import { median, spread } from '../support/stats.ts';
import { type StoreName, storesAtHand, storeTitle } from '../support/store.ts';
import { count, formatTable, ms, percent, ratio } from '../support/table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { wrk } from '../support/wrk.ts';

const MODES = ['crud', 'sluice'] as const;
type Mode = (typeof MODES)[number];
const MODE_NAMES: Readonly<Record<Mode, string>> = { crud: 'Express + mongoose', sluice: 'Sluice' };
const START = { crud: startCrud, sluice: startSluiceApi } as const;

interface Run {
  readonly perSecond: number;
  readonly cpuUs: CpuOf<'server' | 'redis' | 'store'>;
  /** At half of the rate above, from when a request was due. */
  readonly halfP99Ms: number;
}
/** A run of one way: each kind of request. */
type Kinds = Readonly<Record<LeadRequest, Run>>;
type Runs = Readonly<Record<Mode, readonly Kinds[]>>;

const WARM_UP_SECONDS = 3;
/** More requests than a run can send, so that no new lead is sent twice. */
const REQUESTS_A_SECOND = 12_000;

/** Requests a second of the public API against a plain CRUD server of the same leads without any of its rules. */
export async function apiFigure({ quick, connections, ...context }: FigureContext): Promise<FigureResult> {
  const [usual, seconds] = quick ? [1, 1] : [5, 5];
  const tables: Table[] = [];
  const data: Record<string, Runs> = {};
  for (const store of storesAtHand()) {
    const measureMode = (mode: Mode) => measure(mode, store, { seconds, connections });
    const runs = await inRounds(context.rounds ?? usual, MODES, measureMode);
    data[storeTitle(store)] = runs;
    const title = `the public API and plain CRUD, ${storeTitle(store)}, ${connections} connections`;
    tables.push({ title, text: tableOf(runs) });
  }
  return { tables, data };
}

interface Load {
  readonly seconds: number;
  readonly connections: number;
}

function measure(mode: Mode, store: StoreName, load: Load): Promise<Kinds> {
  return onStage(async (keep) => {
    const { path } = await keep(temporaryFolder());
    const server = await START[mode](keep, store);
    const runs: Partial<Record<LeadRequest, Run>> = {};
    for (const kind of LEAD_REQUESTS) runs[kind] = await measureKind(kind, server, path, load);
    return runs as Kinds;
  });
}

async function measureKind(
  kind: LeadRequest,
  { server, redis, store, ids, key }: LeadServer,
  folder: string,
  { seconds, connections }: Load,
): Promise<Run> {
  const target = { host: new URL(server.url).host, ids, ...(key !== undefined && { key }) };
  const requests = join(folder, kind);
  // Reads repeat the same few requests.
  const isRead = kind === 'get' || kind === 'list';
  const amount = isRead ? ids.length : REQUESTS_A_SECOND * (WARM_UP_SECONDS + seconds);
  await writeRequests(requests, leadRequests(kind, target, amount, 0));
  const load = { url: server.url, requests, connections };
  const warm = await wrk({ ...load, seconds: WARM_UP_SECONDS });
  const before = await cpuOf({ server, redis, store });
  const result = await wrk({ ...load, seconds, from: warm.requests + connections });
  const cpuUs = cpuOfEach(before, await cpuOf({ server, redis, store }), result.requests);
  if (warm.not200 + result.not200 > 0) throw new Error(`${kind}: answers of 400 or above`);
  const rate = result.requestsPerSecond / 2;
  const halfP99Ms = await onStage(async (keep) => {
    const file = join(folder, `${kind}-half`);
    await writeRequests(file, leadRequests(kind, target, Math.ceil(rate * seconds) + 1, 10_000_000));
    const sender = await keep(startSender(file));
    return (await sender.send({ url: server.url, connections, rate, seconds })).p99Ms;
  });
  return { perSecond: result.requestsPerSecond, cpuUs, halfP99Ms };
}

function tableOf(runs: Runs): string {
  const rows = LEAD_REQUESTS.flatMap((kind) =>
    MODES.map((mode) => {
      const own = runs[mode].map((run) => run[kind]);
      const against = own.map((run, i) => run.perSecond / (runs.crud[i] as Kinds)[kind].perSecond);
      const cpu = (part: keyof Run['cpuUs']) => count(median(own.map((run) => run.cpuUs[part])));
      return [
        `${LEAD_REQUEST_NAMES[kind]}, ${MODE_NAMES[mode]}`,
        count(median(own.map((run) => run.perSecond))),
        percent(spread(own.map((run) => run.perSecond))),
        ratio(median(against)),
        ...[cpu('server'), cpu('redis'), cpu('store')],
        ms(median(own.map((run) => run.halfP99Ms))),
      ];
    }),
  );
  const head = ['', 'requests/s', 'spread', '/plain', 'CPU us: server', 'Redis', 'store', 'p99 ms at half'];
  return formatTable(head, rows);
}
