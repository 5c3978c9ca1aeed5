import type { Shards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import { createMailboxesOnLog } from '../log/mailboxes-on-log.ts';
import { createMailboxes, type Mailboxes } from '../queue/mailboxes.ts';
import { createSubscriptionDirectory, type SubscriptionDirectory } from '../queue/subscription-directory.ts';
import { usesLog } from '../queue/uses-log.ts';
import { loadPublication, type PublicationDeps } from './publication.ts';

export interface ConnectMailboxesDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly stored: PublicationDeps &
    Pick<
      Store,
      'outboundChanges' | 'webhookCursors' | 'webhookMessages' | 'webhookRequests' | 'webhookOverflow'
    >;
  /** Called when the subscriptions of an account could not be published after Redis had lost them. It is tried again. */
  readonly onError: (error: unknown) => void;
  /** Called with the error if entries of a full mailbox could not be moved to MongoDB. */
  readonly onSpillFailed?: (error: unknown) => void;
  /** Called for each mailbox that a claim could not read, every ten seconds. */
  readonly onUnreadable?: (error: Error) => void;
}

export interface ConnectedMailboxes {
  readonly subscriptionDirectory: SubscriptionDirectory;
  readonly mailboxes: Mailboxes;
  /** Publishes the account's subscriptions, as MongoDB has them, in Redis. False: another change ran meanwhile. Throws if a store is unavailable. */
  republish(accountId: string): Promise<boolean>;
}

/** The mailboxes in Redis, which are published again from MongoDB when Redis has lost them. */
export function connectMailboxes({
  redis,
  shards,
  stored,
  onError,
  onSpillFailed,
  onUnreadable,
}: ConnectMailboxesDeps): ConnectedMailboxes {
  const subscriptionDirectory = createSubscriptionDirectory({ redis, shards });
  const republish = (accountId: string) =>
    subscriptionDirectory.republish(accountId, () => loadPublication(stored, accountId));
  const onUnpublished = (accountId: string) => void republish(accountId).catch(onError);
  return {
    ...{ subscriptionDirectory, republish },
    mailboxes: {
      ...createMailboxes({
        ...{ redis, shards, onUnpublished, onSpillFailed, onUnreadable },
        overflowStore: stored.webhookOverflow,
      }),
      ...(usesLog() && createMailboxesOnLog({ redis, shards, store: stored, now: stored.now })),
    },
  };
}
