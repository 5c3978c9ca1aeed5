import { connectStore } from '@sluice/store/connect';
import { type FigureContext, type FigureResult, step, type Table } from '../support/figure.ts';
import { leadPlans } from '../support/lead-plans.ts';
import { LEAD_QUERIES, type LeadQuery, type TimedQuery, timeLeadQuery } from '../support/lead-queries.ts';
import { openSluiceApi } from '../support/lead-servers.ts';
import { SERVICE_ENV } from '../support/sources.ts';
import { onStage } from '../support/stage.ts';
import { percentile } from '../support/stats.ts';
import {
  type BenchStore,
  openStored,
  type StoreName,
  startStore,
  storesAtHand,
  storeTitle,
} from '../support/store.ts';
import { storeLeads } from '../support/stored-leads.ts';
import { count, formatTable, ms, ratio } from '../support/table.ts';
import { type WriteCost, writeCosts } from '../support/word-costs.ts';

/** The embedded store keeps all documents in its heap: some 5 GB for a million leads. */
const LARGE_HEAP = ['--max-old-space-size=12288'];

interface Measured {
  readonly queries: Readonly<Record<string, TimedQuery>>;
  readonly plans: Readonly<Record<string, string>>;
  readonly costs: readonly WriteCost[];
}

/** Lists, filters and searches in an account with many leads, and what search costs a write. */
export async function leadsFigure({ quick, leads, database }: FigureContext): Promise<FigureResult> {
  const requests = quick ? 40 : 200;
  const amount = quick && database === undefined ? 20_000 : leads;
  const tables: Table[] = [];
  const data: Record<string, Measured> = {};
  const stores: readonly StoreName[] = database === undefined ? storesAtHand() : ['given'];
  for (const store of stores) {
    const title = storeTitle(store);
    const measured = await step(`${title}, ${count(amount)} leads`, () =>
      measure({ store, database, amount, requests }),
    );
    data[title] = measured;
    tables.push({ title: `${count(amount)} leads in one account, ${title}`, text: tableOf(measured) });
    tables.push({ title: `what search costs a write, ${title}`, text: costsOf(measured.costs) });
  }
  return { tables, data };
}

interface Account {
  readonly store: StoreName;
  readonly database: string | undefined;
  readonly amount: number;
  readonly requests: number;
}

function measure({ store, database, amount, requests }: Account): Promise<Measured> {
  return onStage(async (keep) => {
    const costs = await writeCosts(keep, store);
    const opened = database === undefined ? startStore(store, heapOf(store)) : openStored(database);
    const running = await keep(opened);
    const { server, key } = await openSluiceApi(keep, running);
    if (database === undefined) await fill(running, amount);
    const queries: Record<string, TimedQuery> = {};
    for (const query of LEAD_QUERIES)
      queries[query.name] = await timeLeadQuery(query, { url: server.url, key, amount, requests });
    return { queries, plans: await leadPlans(running.db), costs };
  });
}

const heapOf = (store: StoreName) => (store === 'embedded' ? LARGE_HEAP : []);

async function fill({ url }: BenchStore, amount: number): Promise<void> {
  const store = connectStore({ url, namespace: SERVICE_ENV.SLUICE_NAMESPACE });
  try {
    await store.opened();
    await storeLeads(store, 0, amount, (stored) => {
      if (stored % 50_000 === 0) console.error(`  ${count(stored)} leads stored`);
    });
  } finally {
    await store.close();
  }
}

function tableOf({ queries, plans }: Measured): string {
  const rows = LEAD_QUERIES.map(({ name, plan }: LeadQuery) => {
    const { firstMs = Number.NaN, times: own = [] } = queries[name] ?? {};
    return [
      name,
      ms(percentile(own, 0.5)),
      ms(percentile(own, 0.95)),
      ms(percentile(own, 0.99)),
      ms(firstMs),
      plans[plan] ?? '',
    ];
  });
  return formatTable(['', 'p50 ms', 'p95 ms', 'p99 ms', 'first ms', 'index (entries read)'], rows);
}

function costsOf(costs: readonly WriteCost[]): string {
  const least = costs[0]?.cpuUs ?? Number.NaN;
  const rows = costs.map(({ name, cpuUs, bytes }) => [
    name,
    count(cpuUs),
    ratio(cpuUs / least),
    count(bytes),
  ]);
  return formatTable(['', 'CPU us of the store', '/without', 'bytes of the document'], rows);
}
