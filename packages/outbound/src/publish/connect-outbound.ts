import { SUBSCRIBABLE_KINDS } from '@sluice/contract/message/event-kinds';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import {
  createSubscriptionDirectory,
  type SubscriptionDirectory,
} from '../directory/subscription-directory.ts';
import { createAccountLog } from '../log/account-log.ts';
import { createOutbox, type Outbox } from '../log/outbox.ts';
import { readCollecting } from '../subscriptions/publication.ts';
import { publishAgain } from '../subscriptions/publish-again.ts';
import type { Unsendable } from './collect.ts';
import { createErasedRecords, type ErasedRecords } from './erased-records.ts';
import type { Outbound } from './publish-records.ts';
import { createPublishToLog } from './publish-to-log.ts';
import { createSubscriptionLists, type SubscriptionList } from './subscription-lists.ts';

export interface ConnectOutboundDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Pick<
    Store,
    | 'leads'
    | 'untold'
    | 'erasedTraces'
    | 'outboundChanges'
    | 'conversationMessages'
    | 'subscriptions'
    | 'sources'
    | 'webhookCursors'
    | 'webhookMessages'
    | 'webhookRequests'
  >;
  readonly eraseLog?: ((accountId: string, recordIds: readonly string[]) => Promise<void>) | undefined;
  readonly onUnsendable: (change: Unsendable) => void;
  readonly now: () => number;
}

export interface OutboundPublishing extends Outbound {
  readonly erased: ErasedRecords;
  /** Whether a subscription collects reports of a source that rejects requests. Throws if a store is unavailable. */
  wantsRefusals(accountId: string, sourceId: string): Promise<boolean>;
}

export interface ConnectedOutbound {
  readonly outbound: OutboundPublishing;
  readonly subscriptionDirectory: SubscriptionDirectory;
  readonly outbox: Outbox;
  /** Those of the accounts with a subscription to events. Throws if a store is unavailable. */
  wantsEvents(accountIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** A subscription that asks for events has one of these. */
const EVENTS = ['*', ...SUBSCRIBABLE_KINDS.filter((kind) => kind.startsWith('event.'))];
/** Accounts whose sources reject requests. A list that is a second old does no harm. */
const MOST_REFUSING = 10_000;
const REFUSALS_MS = 1_000;
const NO_REPLY_URL = 'The channel has no reply URL.';

/** Connects publishing with Redis and the subscriptions in MongoDB. Call it once for each process. */
export function connectOutbound(deps: ConnectOutboundDeps): ConnectedOutbound {
  const { redis, shards, store, now } = deps;
  const stored = { ...store, now };
  const directory = createSubscriptionDirectory({ redis, shards });
  const lists = createSubscriptionLists({ read: (accountId) => readCollecting(stored, accountId) });
  const erased = createErasedRecords({ ...store, directory, eraseLog: deps.eraseLog });
  const publishToLog = createPublishToLog({
    log: createAccountLog({ redis, shards }),
    lists,
    outboundChanges: store.outboundChanges,
    withoutPublished: (records) => store.untold.withoutPublished(records),
    withoutErased: erased.withoutErased,
    republish: (accountId) => publishAgain({ ...stored, subscriptionDirectory: directory }, accountId),
    failReplies: (ids) => store.conversationMessages.failReplies(ids, NO_REPLY_URL),
    onUnsendable: deps.onUnsendable,
  });
  const refusals = new LRUCache<string, { readonly list: SubscriptionList | undefined }>({
    ...{ max: MOST_REFUSING, ttl: REFUSALS_MS },
    async fetchMethod(accountId) {
      const found = await directory.version(accountId);
      return { list: found.status === 'version' ? await lists.of(accountId, found.version) : undefined };
    },
  });
  // Redis may have lost versions of lists.
  redis.on('close', lists.clear);
  // A Cluster client drops a server whose connection has closed.
  redis.on('-node', lists.clear);
  return {
    outbound: {
      ...{ erased, publishToLog },
      async wantsRefusals(accountId, source_id) {
        const list = (await refusals.fetch(accountId))?.list;
        // Not known: they are counted, and the publication of a report decides.
        return list === undefined || list.collects('source.refusing', { source_id });
      },
    },
    subscriptionDirectory: directory,
    outbox: createOutbox({ redis, shards, store, now }),
    wantsEvents: (accountIds) => store.subscriptions.accountsAskingFor(EVENTS, accountIds),
  };
}
