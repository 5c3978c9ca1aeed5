import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newSubscriptionSecret, sealSubscriptionSecret } from '@sluice/credentials/subscription-secret';
import { type AccountLog, createAccountLog } from '@sluice/outbound/log/account-log';
import { createReadCursorPlaces } from '@sluice/outbound/log/cursor-places';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import { createShards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { OutboundChange } from '@sluice/store/outbound/outbound-changes';
import { Redis } from 'ioredis';
import type { OutboundPipeline } from '../../dispatcher/support/outbound-pipeline.ts';
import { subscription } from '../../outbound/directory/support/use-directory.ts';
import { change } from '../../outbound/log/support/use-cursors.ts';
import { until } from '../../support/until.ts';

/** A request of a receiver, which one process is for all of them. */
interface Got {
  readonly subscriptionId: string;
  readonly messageId: string;
  readonly response: ServerResponse;
}

/** Subscriptions of one account, each with another path of the same receiver, and the log that they read. */
export interface ManyReceivers {
  readonly ids: readonly string[];
  readonly got: Got[];
  /** The receivers that do not respond yet. The receiver of a subscription responds once it is removed. */
  readonly silent: Set<string>;
  /** Lets all respond, also to requests from before. */
  respond(): void;
  append(changeId: string): Promise<void>;
  revoke(id: string): Promise<void>;
  /** The 10 s of all turns are over. */
  loseTurns(): Promise<void>;
  /** How many of the subscriptions have a turn that runs. */
  turns(): Promise<number>;
  /** Messages that wait, and those that are attempted, by subscription. */
  status(): Promise<readonly { readonly waiting: number; readonly attempting: number }[]>;
  /** Resolves once nothing waits for these. */
  delivered(ids: readonly string[], withinMs?: number): Promise<void>;
  close(): void;
}

export interface Subscribed {
  readonly id: string;
  readonly url: string;
  /** Default: all. */
  readonly events?: readonly string[];
  readonly ordered?: boolean;
}

/**
 * Publishes subscriptions of an account as the management does. Returns them, and how to append changes to the log that they read.
 */
export async function publishSubscriptions(
  { pipeline, redis }: { readonly pipeline: OutboundPipeline; readonly redis: Redis },
  accountId: string,
  subscribed: readonly Subscribed[],
) {
  const { keyring, subscriptionDirectory: directory } = pipeline.deps;
  const published = subscribed.map(({ id, url: target_url, events = ['*'], ordered = false }) => {
    const sealed = sealSubscriptionSecret(keyring, id, newSubscriptionSecret());
    const secrets = [{ sealed, expires_at: null }];
    const asked = { target_url, events, ordered, secrets };
    return subscription({ account_id: accountId, subscription_id: id, ...asked });
  });
  await directory.republish(accountId, async () => ({ put: published }));
  const log = createAccountLog({ redis, shards: createShards(pipeline.namespace, 1) });
  const append = (changes: readonly OutboundChange[]) =>
    appendChanges({ log, store: pipeline.store }, accountId, changes);
  return { published, append };
}

/** Appends changes to the log of an account as a publisher does. */
export async function appendChanges(
  { log, store }: { readonly log: AccountLog; readonly store: Pick<Store, 'outboundChanges'> },
  account_id: string,
  changes: readonly OutboundChange[],
): Promise<void> {
  const registered = await log.register(account_id, changes.length);
  if (registered.status !== 'open') throw new Error(registered.status);
  const { batch, version } = registered;
  const rows = changes.map((one, n) => ({ ...one, account_id, number: batch.first + n }));
  await store.outboundChanges.appendChanges(rows);
  const { status } = await log.confirm(account_id, version, [batch], []);
  if (status !== 'confirmed') throw new Error(status);
}

export async function startManyReceivers(
  pipeline: OutboundPipeline,
  accountId: string,
  count: number,
): Promise<ManyReceivers> {
  const { subscriptionDirectory: directory } = pipeline.deps;
  const ids = Array.from({ length: count }, (_, n) => `sub_${accountId}_${n}`);
  const got: Got[] = [];
  const silent = new Set<string>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const subscriptionId = (request.url as string).slice(1);
      got.push({ subscriptionId, messageId: String(request.headers['webhook-id']), response });
      if (!silent.has(subscriptionId)) response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { REDIS_URL = '' } = pipeline.env;
  const redis = new Redis(REDIS_URL);
  const subscribed = ids.map((id) => ({ id, url: `http://127.0.0.1:${port}/${id}` }));
  const { published, append } = await publishSubscriptions({ pipeline, redis }, accountId, subscribed);
  const shards = createShards(pipeline.namespace, 1);
  const readPlaces = createReadCursorPlaces({ redis, shards, store: pipeline.store });
  return {
    ...{ ids, got, silent },
    respond() {
      silent.clear();
      for (const { response } of got) response.end();
    },
    append: (changeId) => append([change(`${changeId}_${accountId}`, { text: '"type":"lead.created"}' })]),
    async revoke(id) {
      const paused = {
        ...(published.find(({ subscription_id }) => subscription_id === id) as PublishedSubscription),
        version: 2,
        paused: 'key_revoked' as const,
      };
      const fence = await directory.fence(accountId);
      await directory.publish(accountId, fence, { put: [paused], remove: [] });
    },
    async loseTurns() {
      await redis.zadd(shards.first.cursors, ...ids.flatMap((id) => [0, id]));
    },
    async turns() {
      const places = await readPlaces(accountId, ids);
      return [...places.values()].filter(({ leaseMs }) => leaseMs !== null).length;
    },
    status: () => pipeline.outbox.status(accountId, ids),
    delivered: (of, withinMs = 60_000) =>
      until(
        async () => {
          const all = await pipeline.outbox.status(accountId, of);
          return all.every(({ waiting }) => waiting === 0);
        },
        { withinMs, what: 'nothing waits' },
      ),
    close() {
      redis.disconnect();
      server.closeAllConnections();
      server.close();
    },
  };
}
