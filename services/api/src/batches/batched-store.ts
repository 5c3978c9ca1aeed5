import type { Store } from '@sluice/store/connect';
import type { Lead } from '@sluice/store/leads/lead-document';
import { inBatches } from './in-batches.ts';
import { runByGroup } from './run-by-group.ts';

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
      putEntry: (entry) => auditLog.putEntry(entry),
      announceEntry: (entry) => auditLog.announceEntry(entry),
      confirmEntry: (entry) => auditLog.confirmEntry(entry),
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

interface Asked {
  readonly accountId: string;
  readonly words: readonly string[];
}

function batchedLeads({
  findLeadsAnywhere,
  findOldestOfEach,
  insertLeads,
  changeLeads,
}: Store['leads']): Pick<Store['leads'], 'findLead' | 'findOldest' | 'insertLead' | 'changeLead'> {
  const find = inBatches({ run: findLeadsAnywhere, maxItems: MOST });
  const findByWords = inBatches<Asked, Lead | undefined>({
    run: (asked) =>
      runByGroup(
        asked,
        ({ accountId }) => accountId,
        (own) =>
          findOldestOfEach(
            own[0].accountId,
            own.map(({ words }) => words),
          ),
      ),
    maxItems: MOST,
  });
  const insert = inBatches({ run: insertLeads, maxItems: MOST });
  const change = inBatches({ run: changeLeads, maxItems: MOST });
  return {
    async findLead(accountId, leadId) {
      const lead = await find(leadId);
      return lead?.account_id === accountId ? lead : undefined;
    },
    findOldest: (accountId, words) => findByWords({ accountId, words }),
    insertLead: async (lead) => orThrow(await insert(lead)),
    changeLead: async (one) => orThrow(await change(one)),
  };
}

function orThrow<T>(outcome: T | Error): T {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
