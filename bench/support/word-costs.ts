import { leadKeys } from '@sluice/leads/fields/lead-keys';
import { connectStore } from '@sluice/store/connect';
import { BSON } from 'mongodb';
import { SERVICE_ENV } from './sources.ts';
import type { Keep } from './stage.ts';
import { type StoreName, startStore } from './store.ts';
import { storedLead } from './stored-leads.ts';

/** The cost of storing one lead. */
export interface WriteCost {
  readonly name: string;
  /** CPU time of the store. Microseconds. */
  readonly cpuUs: number;
  readonly bytes: number;
}

const [LEADS, BATCH] = [10_000, 100];
const WITHOUT = { words: [], long_words: [], facets: [] };

/** Stores leads without any key for filters and search, and with all of them. */
export async function writeCosts(keep: Keep, name: StoreName): Promise<readonly WriteCost[]> {
  const running = await keep(startStore(name));
  const store = connectStore({ url: running.url, namespace: SERVICE_ENV.SLUICE_NAMESPACE });
  try {
    await store.opened();
    await store.ensureIndexes();
    const costs: WriteCost[] = [];
    // The first form runs twice, so that it is not measured while the store warms up.
    for (const [form, searched] of [
      ['', false],
      ['without search and filters', false],
      ['with them', true],
    ] as const) {
      await running.db.collection<{ _id: string }>('leads').deleteMany({});
      const before = await running.cpuSeconds();
      for (let first = 0; first < LEADS; first += BATCH) {
        const leads = Array.from({ length: BATCH }, (_, i) => storedLead(first + i));
        await store.leads.writeLeads(
          leads.map((lead) => ({ lead, keys: searched ? leadKeys(lead, null) : WITHOUT, changes: [] })),
        );
      }
      const cpuUs = (((await running.cpuSeconds()) - before) * 1e6) / LEADS;
      const document = await running.db.collection('leads').findOne();
      costs.push({ name: form, cpuUs, bytes: BSON.calculateObjectSize(document ?? {}) });
    }
    return costs.slice(1);
  } finally {
    await store.close();
  }
}
