import { createBatcher } from '@sluice/runtime/timing/batcher';
import type { AuditEntry } from '@sluice/store/audit/audit-log';
import { type Store, withOperations } from '@sluice/store/connect';
import type { LeadStored, LeadWrite } from '@sluice/store/leads/write-leads';
import { runByGroup } from './run-by-group.ts';

/** Limit of one batch: more than an API server works on at once, and far below the limits of a command. */
const MOST = 200;

/**
 * The store, with the reads and writes that every request of the public API makes. Those of concurrent requests share
 * commands, which cost more than what they read or write.
 */
export function batchedStore(store: Store): Store {
  const { apiKeys, auditLog, leads } = store;
  return withOperations(store, {
    apiKeys: {
      findApiKeyByHash: inBatches((hashes: readonly string[]) => apiKeys.findApiKeysByHash(hashes)),
    },
    auditLog: {
      putEntry: (entry) => auditLog.putEntry(entry),
      announceEntry: (entry) => auditLog.announceEntry(entry),
      confirmEntry: (entry) => auditLog.confirmEntry(entry),
      insertEntry: inBatches(async (entries: readonly AuditEntry[]) => {
        await auditLog.insertEntries(entries);
        return entries.map(() => undefined);
      }),
    },
    leads: batchedLeads(leads),
  });
}

/** A slow batch delays no other one. */
function inBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const { submit } = createBatcher({ run, maxItems: MOST, maxRunning: Number.POSITIVE_INFINITY });
  return (item) => submit(item);
}

interface Asked {
  readonly accountId: string;
  readonly words: readonly string[];
}

function batchedLeads({
  findLeadsAnywhere,
  findOldestOfEach,
  writeLead,
  writeLeads,
}: Store['leads']): Pick<Store['leads'], 'findLead' | 'findOldest' | 'writeLead'> {
  const find = inBatches(findLeadsAnywhere);
  const findByWords = inBatches((asked: readonly Asked[]) =>
    runByGroup(
      asked,
      ({ accountId }) => accountId,
      (own) =>
        findOldestOfEach(
          own[0].accountId,
          own.map(({ words }) => words),
        ),
    ),
  );
  // A batch of one takes one round trip instead of two.
  const write = inBatches(
    async (writes: readonly LeadWrite[]): Promise<readonly (LeadStored | Error)[]> =>
      writes.length === 1 ? [await writeLead(writes[0] as LeadWrite)] : writeLeads(writes),
  );
  return {
    async findLead(accountId, leadId) {
      const lead = await find(leadId);
      return lead?.account_id === accountId ? lead : undefined;
    },
    findOldest: (accountId, words) => findByWords({ accountId, words }),
    writeLead: async (one) => orThrow(await write(one)),
  };
}

function orThrow<T>(outcome: T | Error): T {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
