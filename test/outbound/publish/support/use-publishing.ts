import {
  createSubscriptionDirectory,
  type SubscriptionDirectory,
} from '@sluice/outbound/directory/subscription-directory';
import { type AccountLog, createAccountLog } from '@sluice/outbound/log/account-log';
import type { Unsendable } from '@sluice/outbound/publish/collect';
import { createErasedRecords, type ErasedRecords } from '@sluice/outbound/publish/erased-records';
import { createPublishToLog } from '@sluice/outbound/publish/publish-to-log';
import { createPublisher, type Publisher } from '@sluice/outbound/publish/publisher';
import { createSubscriptionLists } from '@sluice/outbound/publish/subscription-lists';
import type { CollectingSubscription } from '@sluice/outbound/queue/published-subscription';
import { createShards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { OutboundChange } from '@sluice/store/outbound/outbound-changes';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../../../support/shared-redis.ts';
import { subscription as published } from '../../directory/support/use-directory.ts';

type Collecting = CollectingSubscription & { readonly subscription_id: string };

/** A publisher of changes with a log in the shared Redis and in a real store. */
export interface Publishing {
  readonly publisher: Publisher;
  readonly directory: SubscriptionDirectory;
  readonly erased: ErasedRecords;
  readonly unsendable: Unsendable[];
  readonly errors: unknown[];
  /** The ids of replies that were ended because there is no reply URL. */
  readonly failedReplies: string[];
  /** The subscriptions of every account. Renew the version after a change. */
  subscriptions: Collecting[];
  /** How often they were read. */
  reads: number;
  /** Called before an open batch is confirmed. */
  beforeConfirm: () => Promise<void>;
  /** Redis responds with it. */
  fail: Error | undefined;
  /** Publishes the subscriptions to Redis. */
  republish(accountId: string): Promise<boolean>;
  /** The changes that readers get, in the order of their numbers. */
  logOf(accountId: string): Promise<readonly OutboundChange[]>;
  /** Readers wait for these. */
  openBatches(accountId: string): Promise<readonly string[]>;
}

/** Opens the connection before the tests of a describe block, and closes it after them. */
export function usePublishing(): { start(store: Store): Publishing } {
  let redis: Redis;
  before(() => {
    redis = new Redis(sharedRedisUrl());
  });
  after(() => redis?.disconnect());
  return { start: (store) => createPublishing(redis, store) };
}

function createPublishing(redis: Redis, store: Store): Publishing {
  const shards = createShards(uniqueNamespace(), 1);
  const directory = createSubscriptionDirectory({ redis, shards });
  const accountLog = createAccountLog({ redis, shards });
  const parts = {
    ...{ directory, unsendable: [] as Unsendable[], errors: [] as unknown[], reads: 0 },
    ...{ failedReplies: [] as string[], subscriptions: [] as Collecting[] },
    beforeConfirm: async () => {},
    fail: undefined as Error | undefined,
  };
  const log: AccountLog = {
    ...accountLog,
    async register(...args) {
      if (parts.fail) throw parts.fail;
      return accountLog.register(...args);
    },
    async confirm(...args) {
      await parts.beforeConfirm();
      return accountLog.confirm(...args);
    },
  };
  const erased = createErasedRecords({ ...store, directory });
  const republish = (accountId: string) =>
    directory.republish(accountId, async () => ({
      ...{ lastNumber: await store.outboundChanges.lastNumber(accountId) },
      put: parts.subscriptions.map(({ subscription_id }) =>
        published({ account_id: accountId, subscription_id }),
      ),
    }));
  const publishToLog = createPublishToLog({
    ...{ log, outboundChanges: store.outboundChanges },
    lists: createSubscriptionLists({
      async read() {
        parts.reads += 1;
        return parts.subscriptions;
      },
    }),
    republish,
    withoutPublished: (records) => store.untold.withoutPublished(records),
    withoutErased: erased.withoutErased,
    failReplies: async (ids) => void parts.failedReplies.push(...ids),
    onUnsendable: (change) => parts.unsendable.push(change),
  });
  const publisher = createPublisher({
    ...store,
    outbound: { erased, publishToLog },
    onError: (error) => parts.errors.push(error),
  });
  return Object.assign(parts, {
    ...{ publisher, erased, republish },
    openBatches: (accountId: string) => redis.zrange(shards.of(accountId).openBatches(accountId), '0', '-1'),
    async logOf(account_id: string) {
      const { openBatches, givenUpBatches } = shards.of(account_id);
      const [open, passed] = await Promise.all(
        [openBatches, givenUpBatches].map((of) => redis.zrange(of(account_id), '0', '-1')),
      );
      const unread = [...(open ?? []), ...(passed ?? [])].map((batch) => batch.split(':').map(Number));
      const isRead = ({ number = 0 }: OutboundChange) =>
        unread.every(([first = 0, count = 0]) => number < first || number >= first + count);
      const query = { account_id, after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 1_000 };
      return (await store.outboundChanges.readLog(query)).changes.filter(isRead);
    },
  });
}

export const subscription = (
  subscription_id: string,
  events: readonly string[] = ['*'],
  rest: Partial<Collecting> = {},
): Collecting => ({ subscription_id, kind: 'webhook', events, filter: {}, ...rest });
