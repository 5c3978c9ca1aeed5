import { subscriptionInput } from '@sluice/contract/subscription/subscription';
import { newId } from '@sluice/credentials/ids';
import { createKeyring } from '@sluice/credentials/seal';
import {
  createSubscriptionDirectory,
  type SubscriptionDirectory,
} from '@sluice/outbound/directory/subscription-directory';
import { createLogReader } from '@sluice/outbound/log/log-reader';
import { createOutbox, type Outbox } from '@sluice/outbound/log/outbox';
import { createCursorTurns } from '@sluice/outbound/log/turns';
import type { Turns } from '@sluice/outbound/queue/turn';
import { createSubscription } from '@sluice/outbound/subscriptions/create-subscription';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { createShards } from '@sluice/redis/shards/shards';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import { connectStore, type Store } from '@sluice/store/connect';
import type { Source } from '@sluice/store/sources/source';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { Redis } from 'ioredis';
import { openTestMongo, type TestMongo } from '../../support/mongo-server.ts';
import { sharedRedisUrl, uniqueNamespace } from '../../support/shared-redis.ts';

export const URL_1 = 'https://hooks.example.com/1';

export interface UsedSubscriptions {
  store: Store;
  mongo: TestMongo;
  redis: Redis;
  namespace: string;
  directory: SubscriptionDirectory;
  outbox: Outbox;
  turns: Turns;
  deps: SubscriptionDeps;
  /** Milliseconds added to the clock of the domain. */
  ahead: number;
  /** The waits of the domain, which do not happen. Milliseconds. */
  slept: number[];
}

/** The domain of subscriptions on a separate database and a separate namespace of the shared Redis. */
export function useSubscriptions({ limit = 20 } = {}): UsedSubscriptions {
  const used = { ahead: 0, slept: [] } as unknown as UsedSubscriptions;
  before(async () => {
    used.mongo = await openTestMongo('subscriptions');
    used.store = connectStore({ url: used.mongo.url, namespace: 'unused' });
    await used.store.opened();
    await used.store.ensureIndexes();
    used.redis = new Redis(sharedRedisUrl());
    used.namespace = uniqueNamespace('subscriptions');
    const shards = createShards(used.namespace, 1);
    const { redis, store } = used;
    const now = () => Date.now() + used.ahead;
    used.directory = createSubscriptionDirectory({ redis, shards });
    used.outbox = createOutbox({ redis, shards, store, now });
    used.turns = createCursorTurns({
      ...{ redis, shards, reader: createLogReader(store), now },
      ...{ cursors: store.webhookCursors, messages: store.webhookMessages, requests: store.webhookRequests },
      ...{ onUnpublished: fail, onError: fail },
    });
    used.deps = {
      ...used.store,
      outbox: used.outbox,
      subscriptionDirectory: used.directory,
      keyring: createKeyring({ current: Buffer.alloc(32, 7) }),
      checkTargetUrl: async (text) =>
        new URL(text).protocol === 'https:'
          ? { outcome: 'url', url: new URL(text).href }
          : { outcome: 'refused', code: 'not_https', detail: 'Use an https URL.' },
      subscriptionLimit: limit,
      now,
      sleep: async (ms) => void used.slept.push(ms),
    };
  });
  beforeEach(() => {
    used.ahead = 0;
    used.slept = [];
  });
  after(async () => {
    await used.store.close();
    used.redis.disconnect();
    await used.mongo.close();
  });
  return used;
}

function fail(error: unknown): never {
  throw error;
}

/** A stored key of an account. */
export async function addKey(
  { store }: UsedSubscriptions,
  accountId = newId('acc'),
  expires_at: number | null = null,
): Promise<ApiKey> {
  const key_id = newId('key');
  const apiKey: ApiKey = {
    ...{ key_id, account_id: accountId, name: 'A key', prefix: 'slc_live_x', hash: key_id },
    ...{ scopes: ['webhooks'], created_at: Date.now(), expires_at, revoked_at: null },
    ...{ last_used_at: null, last_used_from: null },
  };
  await store.apiKeys.insertApiKey(apiKey);
  return apiKey;
}

/** Stores an event source of an account, or a channel. Returns its id. */
export async function addSource(
  { store }: UsedSubscriptions,
  accountId: string,
  { kind }: Pick<Source, 'kind'> = {},
): Promise<string> {
  const source_id = newId(kind === 'channel' ? 'chn' : 'src');
  const source: Source = {
    ...{
      source_id,
      account_id: accountId,
      name: 'A source',
      active: true,
      sealed_secret: 'sealed',
      version: 1,
    },
    ...{ rate_per_second: null, rate_burst: null, body_storage: 'all', created_at: Date.now() },
    ...{ secret_rotated_at: null, previous_secret: null },
    ...(kind !== undefined && { kind }),
  };
  await store.sources.insertSource(source);
  return source_id;
}

/** Creates a subscription as the API does. */
export function create(
  { deps }: UsedSubscriptions,
  apiKey: ApiKey,
  body: object = {},
  ifMatch?: readonly number[],
) {
  const input = subscriptionInput.parse({ target_url: URL_1, events: ['lead.created'], ...body });
  const accountId = apiKey.account_id;
  return createSubscription(deps, { accountId, key: apiKey, input, newId: newId('sub'), ifMatch });
}

/** Creates a subscription that must be possible. */
export async function made(
  used: UsedSubscriptions,
  apiKey: ApiKey,
  body: object = {},
): Promise<{ readonly status: string; readonly subscription: Subscription; readonly secret: string }> {
  const result = await create(used, apiKey, body);
  if (!('secret' in result)) throw new Error(JSON.stringify(result));
  return result;
}

/** The record of a subscription that dispatchers read in Redis; undefined if it is not published. */
export async function publishedOf(
  { redis, namespace }: UsedSubscriptions,
  subscriptionId: string,
): Promise<Record<string, unknown> | undefined> {
  const key = createShards(namespace, 1).first.mailbox(subscriptionId);
  const record = await redis.hget(key, 'record');
  return record === null ? undefined : JSON.parse(record);
}
