import type { Shards } from '@sluice/shards/shards';
import type { Redis } from 'ioredis';
import { createDiscarding, type Discarding } from './discarding.ts';
import { createPush, type Push } from './push.ts';
import { createTurns, type Turns } from './turns.ts';
import { createWaiting, type Waiting } from './waiting.ts';

export type Mailboxes = Push & Turns & Waiting & Discarding;

export interface MailboxesDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  /**
   * Called for each account whose mailboxes cannot be delivered from, because Redis has begun another run. Call
   * `republish` of the directory. Until then the mailbox is tried again once a second.
   */
  readonly onUnpublished?: (accountId: string) => void;
}

/** The mailboxes of all subscriptions. Rejects if Redis does not respond: then every call but `claim` may be repeated. */
export function createMailboxes(deps: MailboxesDeps): Mailboxes {
  return { ...createPush(deps), ...createTurns(deps), ...createWaiting(deps), ...createDiscarding(deps) };
}
