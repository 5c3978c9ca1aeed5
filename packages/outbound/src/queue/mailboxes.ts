import type { OverflowStore } from '@sluice/contract/subscription/mailbox-overflow';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Redis } from 'ioredis';
import { createDiscarding, type Discarding } from './discarding.ts';
import { createOverflow, type OverflowLimits } from './overflow.ts';
import { createPush, type Push } from './push.ts';
import { createTurns, type Turns } from './turns.ts';
import { createWaiting, type Waiting } from './waiting.ts';

export type Mailboxes = Push & Turns & Waiting & Discarding;

export interface MailboxesDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  /** Stores the entries of a full mailbox. Absent: Redis keeps all of them. */
  readonly overflowStore?: OverflowStore | undefined;
  readonly overflowLimits?: OverflowLimits | undefined;
  /** Called with the error if entries of a full mailbox could not be moved to MongoDB. They stay in Redis until the next move. */
  readonly onSpillFailed?: ((error: unknown) => void) | undefined;
  /**
   * Called for each account whose mailboxes cannot be delivered from, because Redis has begun another run. Call
   * `republish` of the directory. Until then the mailbox is tried again once a second.
   */
  readonly onUnpublished?: (accountId: string) => void;
  /** Called for each mailbox that a claim could not read, every ten seconds. The claim goes on with the others. */
  readonly onUnreadable?: ((error: Error) => void) | undefined;
}

/** The mailboxes of all subscriptions. Rejects if Redis does not respond: then every call but `claim` may be repeated. */
export function createMailboxes(deps: MailboxesDeps): Mailboxes {
  const { overflowStore: store, overflowLimits: limits, onSpillFailed, ...rest } = deps;
  const overflow =
    store === undefined ? undefined : createOverflow({ ...rest, store, limits, onSpillFailed });
  const all = { ...rest, overflow };
  return {
    ...createPush(all),
    ...createTurns(all),
    ...createWaiting({ ...rest, overflowStore: store }),
    ...createDiscarding(all),
  };
}
