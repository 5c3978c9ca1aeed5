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

export async function startManyReceivers(
  pipeline: OutboundPipeline,
  accountId: string,
  count: number,
): Promise<ManyReceivers> {
  const { keyring, subscriptionDirectory: directory } = pipeline.deps;
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
  const published = new Map<string, PublishedSubscription>(
    ids.map((id) => {
      const secret = sealSubscriptionSecret(keyring, id, newSubscriptionSecret());
      const of = { account_id: accountId, subscription_id: id, target_url: `http://127.0.0.1:${port}/${id}` };
      return [id, subscription({ ...of, secrets: [{ sealed: secret, expires_at: null }] })];
    }),
  );
  await directory.republish(accountId, async () => ({ put: [...published.values()], wantsEvents: false }));
  const { REDIS_URL = '' } = pipeline.env;
  const redis = new Redis(REDIS_URL);
  const { turns } = createShards(pipeline.namespace, 1).first;
  return {
    ...{ ids, got, silent },
    respond() {
      silent.clear();
      for (const { response } of got) response.end();
    },
    async push(changeId) {
      const list = await directory.version(accountId);
      if (list.status !== 'version') throw new Error(list.status);
      const changes = [{ ...change(changeId, { to: ids }), text: '"type":"lead.created"}' }];
      expect(await pipeline.mailboxes.push(accountId, list.version, changes)).to.deep.equal({
        status: 'pushed',
      });
    },
    async revoke(id) {
      const paused = {
        ...(published.get(id) as PublishedSubscription),
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
