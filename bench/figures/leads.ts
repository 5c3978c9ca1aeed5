import { connectStore } from '@sluice/store/connect';
import type { FigureContext, FigureResult, Table } from '../support/figure.ts';
import { leadPlans } from '../support/lead-plans.ts';
import { LEAD_QUERIES, type LeadQuery, timeLeadQuery } from '../support/lead-queries.ts';
import { openSluiceApi } from '../support/lead-servers.ts';
import { SERVICE_ENV } from '../support/sources.ts';
import { onStage } from '../support/stage.ts';
import { percentile } from '../support/stats.ts';
import { type BenchStore, type StoreName, startStore, storesAtHand, storeTitle } from '../support/store.ts';
import { storeLeads } from '../support/stored-leads.ts';
import { count, formatTable, ms, ratio } from '../support/table.ts';
import { type WriteCost, writeCosts } from '../support/word-costs.ts';

/** The embedded store keeps all documents in its heap: some 5 GB for a million leads. */
const LARGE_HEAP = ['--max-old-space-size=12288'];

interface Measured {
  readonly times: Readonly<Record<string, readonly number[]>>;
  readonly plans: Readonly<Record<string, string>>;
  readonly costs: readonly WriteCost[];
  readonly rssMiB: number;
}

/** Lists, filters and searches in an account with many leads, and what search costs a write. */
export async function leadsFigure({ quick, leads, step }: FigureContext): Promise<FigureResult> {
  const [amount, requests] = quick ? [20_000, 40] : [leads, 200];
  const tables: Table[] = [];
  const data: Record<string, Measured> = {};
  for (const store of storesAtHand()) {
    const title = storeTitle(store);
    const measured = await step(`${title}, ${count(amount)} leads`, () => measure(store, amount, requests));
    data[title] = measured;
    tables.push({ title: `${count(amount)} leads in one account, ${title}`, text: tableOf(measured) });
    tables.push({ title: `what search costs a write, ${title}`, text: costsOf(measured.costs) });
  }
  return { tables, data };
}

function measure(store: StoreName, amount: number, requests: number): Promise<Measured> {
  return onStage(async (keep) => {
    const costs = await writeCosts(keep, store);
    const running = await keep(startStore(store, store === 'embedded' ? LARGE_HEAP : []));
    const { server, key } = await openSluiceApi(keep, running);
    await fill(running, amount);
    const times: Record<string, readonly number[]> = {};
    for (const query of LEAD_QUERIES)
      times[query.name] = await timeLeadQuery(query, { url: server.url, key, amount, requests });
    return { times, plans: await leadPlans(running.db), costs, rssMiB: await running.rssMiB() };
  });
}

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

function tableOf({ times, plans }: Measured): string {
  const rows = LEAD_QUERIES.map(({ name, plan }: LeadQuery) => {
    const own = times[name] ?? [];
    return [
      name,
      ms(percentile(own, 0.5)),
      ms(percentile(own, 0.95)),
      ms(percentile(own, 0.99)),
      plans[plan] ?? '',
    ];
  });
  return formatTable(['', 'p50 ms', 'p95 ms', 'p99 ms', 'index (entries read)'], rows);
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
