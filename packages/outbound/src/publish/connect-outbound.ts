import type { Shards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import { createAccountLog } from '../log/account-log.ts';
import type { Mailboxes } from '../queue/mailboxes.ts';
import type { SubscriptionDirectory } from '../queue/subscription-directory.ts';
import { usesLog } from '../queue/uses-log.ts';
import { connectMailboxes } from '../subscriptions/connect-mailboxes.ts';
import { accountsWantingEvents, readCollecting } from '../subscriptions/publication.ts';
import { createOutbound, type OutboundDeps, type OutboundPublishing } from './outbound.ts';

export interface ConnectOutboundDeps extends Pick<OutboundDeps, 'eraseLog' | 'onUnsendable'> {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: OutboundDeps['store'] &
    Pick<
      Store,
      | 'subscriptions'
      | 'sources'
      | 'webhookCursors'
      | 'webhookMessages'
      | 'webhookRequests'
      | 'webhookOverflow'
    >;
  /** One for each shard (admission/replica-wait.ts). */
  readonly replicaWaits: readonly (() => () => Promise<void>)[];
  /** Called when subscriptions could not be published. It is tried again. */
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
}

export interface ConnectedOutbound {
  readonly outbound: OutboundPublishing;
  readonly subscriptionDirectory: SubscriptionDirectory;
  readonly mailboxes: Mailboxes;
  /** Those of the accounts with a subscription to events. Throws if a store is unavailable. */
  wantsEvents(accountIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Connects publishing with the mailboxes in Redis and the subscriptions in MongoDB. */
export function connectOutbound(deps: ConnectOutboundDeps): ConnectedOutbound {
  const { redis, shards, store, replicaWaits, now, onError } = deps;
  const stored = { ...store, now };
  const connected = connectMailboxes({ redis, shards, stored, onError });
  const { subscriptionDirectory, mailboxes, republish } = connected;
  const outbound = createOutbound({
    ...{ store, mailboxes, republish },
    ...(usesLog() && {
      log: createAccountLog({ redis, shards }),
    }),
    directory: subscriptionDirectory,
    readSubscriptions: (accountId) => readCollecting(stored, accountId),
    eraseLog: deps.eraseLog,
    replicaWait: (accountId) => replicaWaits[shards.indexOf(accountId)]?.() ?? (() => Promise.resolve()),
    onUnsendable: deps.onUnsendable,
  });
  redis.on('close', outbound.dropLists);
  // A Cluster client drops a server whose connection has closed.
  redis.on('-node', outbound.dropLists);
  return {
    ...{ outbound, subscriptionDirectory, mailboxes },
    wantsEvents: (accountIds) =>
      subscriptionDirectory.wantsEvents(accountIds, (some) => accountsWantingEvents(stored, some)),
  };
}
