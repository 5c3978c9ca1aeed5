import type { Shards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import type { Mailboxes } from '../queue/mailboxes.ts';

export interface MailboxesOnLogDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Pick<Store, 'outboundChanges' | 'webhookCursors' | 'webhookMessages'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** What programs ask of subscriptions that read the log of their account, in place of mailboxes. */
export function createMailboxesOnLog(_deps: MailboxesOnLogDeps): Partial<Mailboxes> {
  return {};
}
