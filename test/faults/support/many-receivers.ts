import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newSubscriptionSecret, sealSubscriptionSecret } from '@sluice/credentials/subscription-secret';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { OutboundPipeline } from '../../dispatcher/support/outbound-pipeline.ts';
import { change, subscription } from '../../outbound/queue/support/use-mailboxes.ts';
import { until } from '../../support/until.ts';

/** A request of a receiver, which one process is for all of them. */
interface Got {
  readonly subscriptionId: string;
  readonly messageId: string;
  readonly response: ServerResponse;
}

/** Subscriptions of one account, each with another path of the same receiver, and messages in their mailboxes. */
export interface ManyReceivers {
  readonly ids: readonly string[];
  readonly got: Got[];
  /** The receivers that do not respond yet. The receiver of a subscription responds once it is removed. */
  readonly silent: Set<string>;
  /** Lets all respond, also to requests from before. */
  respond(): void;
  push(changeId: string): Promise<void>;
  revoke(id: string): Promise<void>;
  /** The 10 s of all turns are over. */
  loseTurns(): Promise<void>;
  /** Messages that wait, and those that are attempted, by subscription. */
  mailboxes(): Promise<readonly { readonly waiting: number; readonly attempting: number }[]>;
  /** Resolves once nothing waits for these. */
  delivered(ids: readonly string[], withinMs?: number): Promise<void>;
  close(): void;
}

/**
 * Publishes subscriptions of an account, by their ids and URLs, as the management does. Returns them, and how to push changes
 * to them.
 */
export async function publishSubscriptions(
  { deps, mailboxes }: Pick<OutboundPipeline, 'deps' | 'mailboxes'>,
  accountId: string,
  urls: readonly (readonly [id: string, url: string])[],
) {
  const { keyring, subscriptionDirectory: directory } = deps;
  const published = urls.map(([subscription_id, target_url]) => {
    const sealed = sealSubscriptionSecret(keyring, subscription_id, newSubscriptionSecret());
    const secrets = [{ sealed, expires_at: null }];
    return subscription({ account_id: accountId, subscription_id, target_url, secrets });
  });
  await directory.republish(accountId, async () => ({ put: published, wantsEvents: false }));
  const push = async (changes: readonly ReturnType<typeof change>[]): Promise<void> => {
    const list = await directory.version(accountId);
    if (list.status !== 'version') throw new Error(list.status);
    const pushed = await mailboxes.push(accountId, list.version, changes);
    expect(pushed).to.deep.equal({ status: 'pushed' });
  };
  return { published, push };
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
  const urls = ids.map((id) => [id, `http://127.0.0.1:${port}/${id}`] as const);
  const { published, push } = await publishSubscriptions(pipeline, accountId, urls);
  const { REDIS_URL = '' } = pipeline.env;
  const redis = new Redis(REDIS_URL);
  const { turns } = createShards(pipeline.namespace, 1).first;
  return {
    ...{ ids, got, silent },
    respond() {
      silent.clear();
      for (const { response } of got) response.end();
    },
    push: (changeId) => push([{ ...change(changeId, { to: ids }), text: '"type":"lead.created"}' }]),
    async revoke(id) {
      const paused = {
        ...(published.find(({ subscription_id }) => subscription_id === id) as PublishedSubscription),
        version: 2,
        paused: 'key_revoked' as const,
      };
      const fence = await directory.fence(accountId);
      await directory.publish(accountId, fence, { put: [paused], remove: [], wantsEvents: false });
    },
    async loseTurns() {
      await redis.zadd(turns, ...ids.flatMap((id) => [0, id]));
    },
    mailboxes: () => pipeline.mailboxes.status(accountId, ids),
    delivered: (of, withinMs = 60_000) =>
      until(
        async () => {
          const all = await pipeline.mailboxes.status(accountId, of);
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
