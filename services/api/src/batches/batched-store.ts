import type { Store } from '@sluice/store/connect';
import { inBatches } from './in-batches.ts';

/** Limit of one batch: more than an API server works on at once, and far below the limits of a command. */
const MOST = 200;

/**
 * The store, with the reads and writes that every request of the public API makes. Those of concurrent requests share
 * commands, which cost more than what they read or write.
 */
export function batchedStore(store: Store): Store {
  const { apiKeys, auditLog, leads } = store;
  return {
    ...store,
    apiKeys: {
      ...apiKeys,
      findApiKeyByHash: inBatches({ run: (hashes) => apiKeys.findApiKeysByHash(hashes), maxItems: MOST }),
    },
    auditLog: {
      ...auditLog,
      insertEntry: inBatches({
        async run(entries) {
          await auditLog.insertEntries(entries);
          return entries.map(() => undefined);
        },
        maxItems: MOST,
      }),
    },
    leads: { ...leads, ...batchedLeads(leads) },
  };
}

function batchedLeads({
  findLeadsAnywhere,
  insertLeads,
}: Store['leads']): Pick<Store['leads'], 'findLead' | 'insertLead'> {
  const find = inBatches({ run: findLeadsAnywhere, maxItems: MOST });
  const insert = inBatches({ run: insertLeads, maxItems: MOST });
  return {
    async findLead(accountId, leadId) {
      const lead = await find(leadId);
      return lead?.account_id === accountId ? lead : undefined;
    },
    async insertLead(lead, keys) {
      const outcome = await insert({ lead, keys });
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
}
