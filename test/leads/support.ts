import type { LeadInput } from '@sluice/contract/lead/lead';
import { newId } from '@sluice/credentials/ids';
import { type CreateLead, createLead } from '@sluice/leads/change/create-lead';
import { createLeadDeps, type LeadDeps } from '@sluice/leads/deps';
import { createPublisher, type Publisher } from '@sluice/outbound/publish/publisher';
import { connectStore, type Store } from '@sluice/store/connect';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { PendingRecord, PublishedCollection } from '@sluice/store/pending/pending-record';
import { openTestMongo, type TestMongo } from '../support/mongo-server.ts';

export const ACTOR = { type: 'api_key', id: 'key_1' } as const;

export interface UsedLeads {
  store: Store;
  mongo: TestMongo;
  publisher: Publisher;
  deps: LeadDeps;
}

/** The domain of leads on a separate database, opened before the tests of a describe block and closed after them. */
export function useLeads(): UsedLeads {
  const used = {} as UsedLeads;
  before(async () => {
    used.mongo = await openTestMongo('leads');
    used.store = connectStore({ url: used.mongo.url, namespace: 'unused' });
    await used.store.opened();
    await used.store.ensureIndexes();
    used.publisher = createPublisher({
      ...used.store,
      onError: (error) => {
        throw error;
      },
    });
    used.deps = createLeadDeps(used.store, { publisher: used.publisher });
  });
  after(async () => {
    await used.publisher.settled();
    await used.store.close();
    await used.mongo.close();
  });
  return used;
}

let accounts = 0;

/** An account that no other test uses. */
export const newAccount = (): string => `acc_${++accounts}`;

/** Creates a lead that must be new or found. */
export async function made(
  deps: LeadDeps,
  accountId: string,
  input: LeadInput,
  rest: Partial<CreateLead> = {},
): Promise<Lead> {
  const created = await createLead(deps, {
    accountId,
    input,
    actor: ACTOR,
    origin: 'api',
    ids: { lead: newId('lead') },
    ...rest,
  });
  if (!('lead' in created)) throw new Error(`not made: ${created.status}`);
  return created.lead;
}

/** Writes each lead as an API server does, which shares commands between requests. */
export function writingInBatches(deps: LeadDeps): LeadDeps {
  const { leads } = deps;
  return {
    ...deps,
    leads: {
      ...leads,
      writeLead: async (write) => notFailed(await leads.writeLeads([write])),
    },
  };
}

function notFailed<T>([outcome]: readonly (T | Error)[]): T {
  if (outcome === undefined || outcome instanceof Error) throw outcome;
  return outcome;
}

/** The records of a collection with changes that are not published yet, oldest first. */
export async function pendingIn(
  { untold }: Pick<Store, 'untold'>,
  collection: PublishedCollection,
): Promise<readonly PendingRecord[]> {
  return (await untold.pagePending({ collection, before: Date.now() + 1000, limit: 1000 })).records;
}

/** For an erasure: no conversation waits, and no copy is outside of the store. */
export const NOTHING_ELSE = { linkWaiting: async () => undefined, forgetOutside: async () => undefined };
