import type { Redis } from 'ioredis';
import type { PauseReason, PublishedSubscription } from './published-subscription.ts';

/** A message that waits. */
export interface Entry {
  /** Names it within its turn: its number in the log, or a negative one of a request. */
  readonly number: number;
  /** Its number in the log of its account. Absent: a request. */
  readonly place?: number;
  readonly messageId: string;
  readonly changeId: string;
  readonly kind: string;
  readonly recordId: string;
  /** Failed attempts so far. */
  readonly attempts: number;
  /** A person or program has asked to send this one message again. It has one attempt. */
  readonly redelivery: boolean;
  /** It was among the messages that a recovery sent again. */
  readonly recovered: boolean;
  /** Milliseconds since the Unix epoch, by Redis's clock. */
  readonly pushedAt: number;
}

/** An entry to attempt. `text` is null if it is read when it is attempted: MongoDB has it, unless it was erased. */
export interface TakenEntry extends Entry {
  readonly text: string | null;
  /** An instant of performance.now() before the text was read. It may have been erased since. */
  readonly readAt: number;
}

/**
 * Dispatchers keep it about a receiver. Times are milliseconds since the Unix epoch by Redis's clock.
 */
export interface ReceiverState {
  /** One entry at a time is taken, of another record than `lastProbed` if there is one. Due times of entries do not count. */
  readonly probing: boolean;
  /** Nothing is taken before. */
  readonly notBefore: number;
  readonly failedRecords: readonly string[];
  readonly round: number;
  readonly firstFailureAt: number | null;
  readonly lastProbed: string | null;
  readonly concurrency: number;
}

export const INITIAL_STATE: ReceiverState = {
  probing: false,
  notBefore: 0,
  failedRecords: [],
  round: 0,
  firstFailureAt: null,
  lastProbed: null,
  concurrency: 1,
};

/** The right to attempt what waits for one subscription. It is lost if no script renews it for TURN_MS. */
export interface Turn {
  readonly accountId: string;
  readonly subscription: PublishedSubscription;
  readonly token: string;
  /** Attempts may begin before this instant of performance.now(). */
  readonly leaseUntil: number;
  readonly state: ReceiverState;
  readonly entries: readonly TakenEntry[];
}

/** The outcome of an entry that was taken. */
export type Result = { readonly number: number } & (
  | /** Delivered or finally failed. It waits no longer. */ { readonly outcome: 'done' }
  | /** Not attempted: its record was erased, or its text has expired. It waits no longer. */ {
      readonly outcome: 'no_text';
    }
  | /** A redelivery was delivered. It waits no longer, and neither does the same message where it waits. */ {
      readonly outcome: 'resent';
    }
  | /** A failed attempt. `dueAt` is milliseconds since the Unix epoch by the caller's clock. */ {
      readonly outcome: 'again';
      readonly dueAt: number;
    }
  | /** Not attempted. It returns to the front. */ { readonly outcome: 'given_back' }
);

export interface Settlement {
  readonly results: readonly Result[];
  readonly state: ReceiverState;
  readonly more: number;
}

export type Settled =
  | { readonly status: 'go_on'; readonly entries: readonly TakenEntry[]; readonly leaseUntil: number }
  | { readonly status: 'ended' }
  /** The turn belongs to another dispatcher, or the subscription was removed. Nothing was changed. */
  | { readonly status: 'lost' };

/** Why nothing may be delivered to a subscription. */
export type StopReason =
  | Exclude<PauseReason, 'failing'>
  /** The end of an ephemeral subscription. */
  | 'ended'
  /** The subscription has changed since the turn was claimed. Give back what is left; the next turn has the new version. */
  | 'changed'
  /** Redis has begun another run since it was published. It must be published again from MongoDB. */
  | 'unpublished';

export type Renewed =
  | { readonly status: 'leased'; readonly leaseUntil: number }
  | { readonly status: 'stopped'; readonly why: StopReason }
  | { readonly status: 'lost' };

export interface Turns {
  /**
   * Claims up to `limit` subscriptions with something due, the longest due first, and takes up to `perTurn` messages of each. A subscription
   * has at most one turn.
   */
  claim(input: { readonly shard: number; readonly limit: number; readonly perTurn: number }): Promise<Turn[]>;
  /**
   * Stores results and the state, and takes up to `more` entries. The turn ends if it has no entries left. After `lost` nothing
   * of it was stored. Turns that are settled at the same time share a script.
   */
  settle(turn: Turn, input: Settlement): Promise<Settled>;
  /** Asks for another lease. It also keeps the turn alive. */
  renew(turn: Turn): Promise<Renewed>;
  /** The subscriptions of a shard that are due and have no turn. */
  countDue(shard: number): Promise<Due>;
  /** Resolves when something may be due, or after `timeoutMs`. `redis` is a connection that nothing else uses, because it blocks. */
  waitForWork(input: {
    readonly shard: number;
    readonly timeoutMs: number;
    readonly redis: Redis;
  }): Promise<void>;
}

export interface Due {
  readonly subscriptions: number;
  /** How long the first of them has waited. Milliseconds. */
  readonly oldestMs: number;
}

/** The kind of a test. Its text is in its request only. */
export const TEST_KIND = 'webhook.test';
