import { createKey } from '@sluice/accounts/keys/create-key';
import { SCOPES, type Scope } from '@sluice/contract/account/scopes';
import { connectStore } from '@sluice/store/connect';
import { leadBody } from './lead-requests.ts';
import { type Measured, startProgram, startService } from './processes.ts';
import { startBenchRedis } from './redis.ts';
import { ACCOUNT, SERVICE_ENV } from './sources.ts';
import type { Keep } from './stage.ts';
import { type BenchStore, type StoreName, startStore } from './store.ts';

/** A server of leads, with its stores. */
export interface LeadServer {
  readonly server: Measured;
  readonly store: BenchStore;
  readonly redis: Measured | undefined;
  /** The API key; absent for a server without keys. */
  readonly key?: string;
  /** Ids of the stored leads. */
  readonly ids: readonly string[];
}

/** Leads that are stored before the clock starts. */
const STORED = 200;

/** No limit of Sluice is measured. One million a minute is the largest rate of a key. */
const API_ENV = {
  ...SERVICE_ENV,
  API_PORT: '0',
  API_ADMIN_PORT: '0',
  KEY_RATE_PER_MINUTE: '1000000',
  KEY_RATE_BURST: '1000000',
};

/** The API server as operators run it, with some leads. */
export async function startSluiceApi(keep: Keep, storeName: StoreName): Promise<LeadServer> {
  const store = await keep(startStore(storeName));
  const { server, redis, key } = await openSluiceApi(keep, store);
  return { server, store, redis, key, ids: await storeLeads(server.url, key) };
}

/** The API server as operators run it, on a store. */
export async function openSluiceApi(keep: Keep, { url }: Pick<BenchStore, 'url'>) {
  const redis = await keep(startBenchRedis());
  const env = { ...API_ENV, REDIS_URL: redis.url, MONGO_URL: url };
  const server = await keep(startService('api', env));
  return { redis, key: await addAccount(url), server };
}

/** The same leads by stock Express and mongoose. */
export async function startCrud(keep: Keep, storeName: StoreName): Promise<LeadServer> {
  const store = await keep(startStore(storeName));
  const server = await keep(startProgram('crud', { MONGO_URL: store.url }));
  return { server, store, redis: undefined, ids: await storeLeads(server.url) };
}

/**
 * Creates the account, unless it exists, and a key with every scope, in a database that a server has prepared: that of another commit
 * refuses a newer version. Resolves to the key.
 */
async function addAccount(url: string): Promise<string> {
  const store = connectStore({ url, namespace: SERVICE_ENV.SLUICE_NAMESPACE });
  try {
    await store.opened();
    const now = Date.now;
    const account = { account_id: ACCOUNT, name: 'Bench', plan: 'unlimited', created_at: now() };
    if ((await store.accounts.findAccount(ACCOUNT)) === undefined)
      await store.accounts.insertAccount(account);
    const scopes = Object.keys(SCOPES) as Scope[];
    const input = { accountId: ACCOUNT, name: 'bench', scopes, expiresAt: null };
    const created = await createKey({ ...store, now }, input);
    if (created.status !== 'created') throw new Error(`no key was created: ${created.status}`);
    return created.key;
  } finally {
    await store.close();
  }
}

async function storeLeads(url: string, key?: string): Promise<string[]> {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
  const ids: string[] = [];
  for (let i = 0; i < STORED; i++) {
    const answer = await fetch(`${url}/api/public/leads`, {
      method: 'POST',
      headers,
      body: leadBody(`s${i}`),
    });
    const lead = (await answer.json()) as { id?: string; _id?: string };
    if (answer.status !== 201) throw new Error(`a lead was not stored: ${JSON.stringify(lead)}`);
    ids.push((lead.id ?? lead._id) as string);
  }
  return ids;
}
