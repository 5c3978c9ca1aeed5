import { SUBSCRIBABLE_KINDS } from '@sluice/contract/message/event-kinds';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import {
  createSubscriptionDirectory,
  type SubscriptionDirectory,
} from '../directory/subscription-directory.ts';
import { createAccountLog } from '../log/account-log.ts';
import { createOutbox, type Outbox } from '../log/outbox.ts';
import { readCollecting } from '../subscriptions/publication.ts';
import { publishAgain } from '../subscriptions/publish-again.ts';
import { createOutbound, type OutboundDeps, type OutboundPublishing } from './outbound.ts';

export interface ConnectOutboundDeps extends Pick<OutboundDeps, 'eraseLog' | 'onUnsendable'> {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: OutboundDeps['store'] &
    Pick<Store, 'subscriptions' | 'sources' | 'webhookCursors' | 'webhookMessages' | 'webhookRequests'>;
  readonly now: () => number;
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

/** Connects publishing with Redis and the subscriptions in MongoDB. */
export function connectOutbound(deps: ConnectOutboundDeps): ConnectedOutbound {
  const { redis, shards, store, now } = deps;
  const stored = { ...store, now };
  const subscriptionDirectory = createSubscriptionDirectory({ redis, shards });
  const outbound = createOutbound({
    store,
    republish: (accountId) => publishAgain({ ...stored, subscriptionDirectory }, accountId),
    log: createAccountLog({ redis, shards }),
    directory: subscriptionDirectory,
    readSubscriptions: (accountId) => readCollecting(stored, accountId),
    eraseLog: deps.eraseLog,
    onUnsendable: deps.onUnsendable,
  });
  redis.on('close', outbound.dropLists);
  // A Cluster client drops a server whose connection has closed.
  redis.on('-node', outbound.dropLists);
  return {
    ...{ outbound, subscriptionDirectory },
    outbox: createOutbox({ redis, shards, store, now }),
    wantsEvents: (accountIds) => store.subscriptions.accountsAskingFor(EVENTS, accountIds),
  };
}
