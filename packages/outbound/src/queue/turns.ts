import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';
import { readTaken } from './entry.ts';
import { LEASE_MS, TURN_MS } from './limits.ts';
import { type Overflow, type OverflowRange, readRange } from './overflow.ts';
import { popWithin } from './pop-within.ts';
import type { PublishedSubscription } from './published-subscription.ts';
import { createSettlements } from './settlements.ts';
import {
  INITIAL_STATE,
  type MailboxState,
  type Renewed,
  type Settled,
  type Settlement,
  type StopReason,
  type Turn,
} from './turn.ts';
import { CLAIM, COUNT_DUE, NEXT_DUE, RENEW } from './turns.lua.ts';

export interface Turns {
  /**
   * Claims up to `limit` mailboxes with something due, the longest due first, and takes up to `perTurn` entries of each. A mailbox
   * has at most one turn. A turn has no entries yet if they must be read from MongoDB: settle it to get them.
   */
  claim(input: {
    readonly shard: number;
    readonly limit: number;
    readonly perTurn: number;
    /** The most text of each turn, in UTF-16 units. Default: TAKEN_TEXT. */
    readonly mostText?: number | undefined;
  }): Promise<Turn[]>;
  /**
   * Stores results and the state, and takes up to `more` entries. The turn ends if it has no entries left. After `lost` nothing
   * of it was stored. Turns that are settled at the same time share a script.
   */
  settle(turn: Turn, input: Settlement): Promise<Settled>;
  /** Asks for another lease. It also keeps the turn alive. */
  renew(turn: Turn): Promise<Renewed>;
  /** The mailboxes of a shard that are due and have no turn. */
  countDue(shard: number): Promise<Due>;
  /** Resolves when something may be due, or after `timeoutMs`. `redis` is a connection that nothing else uses, because it blocks. */
  waitForWork(input: {
    readonly shard: number;
    readonly timeoutMs: number;
    readonly redis: Redis;
  }): Promise<void>;
}

export interface Due {
  readonly mailboxes: number;
  /** How long the first of them has waited. Milliseconds. */
  readonly oldestMs: number;
}

type ClaimedTurn = [
  id: string,
  record: string,
  token: string,
  leaseMs: number,
  state: string | null,
  entries: string[],
  waitMs: number,
];

/** The text of an entry. Null: it is not in Redis. */
type Text = string | null;

interface TurnCommands {
  sluiceClaim(
    key: string,
    ...args: (string | number)[]
  ): Promise<[number, unpublished: string[], ClaimedTurn[], Text[], unreadable: string[]]>;
  sluiceRenewTurn(key: string, ...args: (string | number)[]): Promise<[string, (string | number)?]>;
  sluiceNextDue(key: string): Promise<number>;
  sluiceCountDue(key: string): Promise<[number, number]>;
}

/** Loads of one settlement. Expired rows of MongoDB make a load empty. */
const MOST_LOADS = 3;

/** The blocking pop of a wake-up never outlasts this, so that a wake-up that died with its receiver costs at most as much. */
const LONGEST_WAIT_MS = 1_000;

export function createTurns({
  redis,
  shards,
  onUnpublished,
  onUnreadable,
  overflow,
}: {
  redis: Redis;
  shards: Shards;
  onUnpublished?: (accountId: string) => void;
  onUnreadable?: ((error: Error) => void) | undefined;
  overflow?: Overflow | undefined;
}): Turns {
  const commands = withScripts<TurnCommands>(redis, {
    sluiceClaim: CLAIM,
    sluiceRenewTurn: RENEW,
    sluiceCountDue: COUNT_DUE,
    sluiceNextDue: NEXT_DUE,
  });
  const settleOnce = createSettlements({ redis, shards });
  const turnArgs = ({ accountId, subscription, token }: Turn) => {
    const { prefix } = shards.of(accountId);
    return [prefix, TURN_MS, LEASE_MS, subscription.subscription_id, token, subscription.version];
  };
  const mailboxOf = ({ accountId, subscription }: Turn) =>
    shards.of(accountId).mailbox(subscription.subscription_id);

  const settle: Turns['settle'] = async (turn, { results, more, mostText, ...rest }) => {
    let left = results;
    for (let loads = 0; ; loads++) {
      const most = loads < MOST_LOADS ? more : 0;
      const { reply, sent } = await settleOnce(turn, { ...rest, results: left, more: most });
      switch (reply[0]) {
        case 'go_on':
          return {
            ...{ status: 'go_on', leaseUntil: sent + reply[1] },
            entries: readTaken(reply[2], reply[3], sent, mostText),
          };
        case 'load':
          left = [];
          await load(turn, readRange(reply[2]));
          break;
        case 'ended':
          if (rest.state.probing) await overflow?.spill(turn.accountId, turn.subscription.subscription_id);
          return { status: 'ended' };
        case 'lost':
          return { status: 'lost' };
      }
    }
  };
  const load = async ({ accountId, subscription, token }: Turn, range: OverflowRange | undefined) => {
    if (overflow === undefined) throw new Error('a mailbox has entries in MongoDB, and no connection to it');
    if (range !== undefined) await overflow.load(accountId, subscription.subscription_id, range, { token });
  };

  return {
    async claim({ shard, limit, perTurn, mostText }) {
      const { turns, prefix } = shards.all[shard] as Keyspace;
      const sent = performance.now();
      const args = [prefix, TURN_MS, LEASE_MS, limit, perTurn, randomUUID()];
      const [, unpublished, claimed, texts, unreadable] = await commands.sluiceClaim(turns, ...args);
      for (const accountId of new Set(unpublished)) onUnpublished?.(accountId);
      for (let n = 0; n < unreadable.length; n += 2)
        onUnreadable?.(new Error(`the mailbox of ${unreadable[n]} cannot be read: ${unreadable[n + 1]}`));
      let at = 0;
      return claimed.flatMap((one) => {
        const own = texts.slice(at, at + one[5].length);
        at += own.length;
        const turn = readTurn(one, own, { sent, mostText });
        // Nobody renews its turn, so its mailbox is claimed again after TURN_MS.
        if (turn === undefined)
          onUnreadable?.(
            new Error(`the mailbox of ${one[0]} cannot be read: its record or state is damaged`),
          );
        return turn ?? [];
      });
    },
    settle,
    async renew(turn) {
      const sent = performance.now();
      const [status, value] = await commands.sluiceRenewTurn(mailboxOf(turn), ...turnArgs(turn));
      if (status === 'leased') return { status, leaseUntil: sent + Number(value) };
      if (status === 'stopped') return { status, why: stopReason(String(value), turn.subscription) };
      return { status: 'lost' };
    },
    async countDue(shard) {
      const [mailboxes, oldestMs] = await commands.sluiceCountDue((shards.all[shard] as Keyspace).turns);
      return { mailboxes, oldestMs };
    },
    async waitForWork({ shard, timeoutMs, redis: blocking }) {
      const { turns, turnsWake } = shards.all[shard] as Keyspace;
      const dueInMs = await commands.sluiceNextDue(turns);
      const waitMs = Math.min(timeoutMs, LONGEST_WAIT_MS, dueInMs < 0 ? Number.POSITIVE_INFINITY : dueInMs);
      if (waitMs > 0) await popWithin(blocking, turnsWake, waitMs);
    },
  };
}

/**
 * Undefined: its record or state cannot be read. The others of its claim go on. The stored time of `notBefore` is by another
 * dispatcher's clock, or by this one's before it was set. The script gives what is left.
 */
function readTurn(
  [id, record, token, leaseMs, state, entries, waitMs]: ClaimedTurn,
  texts: readonly Text[],
  { sent, mostText }: { readonly sent: number; readonly mostText: number | undefined },
): Turn | undefined {
  const subscription = parsed<PublishedSubscription>(record);
  const known = state === null ? INITIAL_STATE : parsed<MailboxState>(state);
  if (subscription?.subscription_id !== id || known === undefined) return undefined;
  return {
    accountId: subscription.account_id,
    subscription,
    token,
    leaseUntil: sent + leaseMs,
    state: { ...known, notBefore: waitMs > 0 ? Date.now() + waitMs : 0 },
    entries: readTaken(entries, texts, sent, mostText),
  };
}

/** Undefined: no JSON object. The error of JSON.parse would show a part of it, and a record has secrets. */
function parsed<T extends object>(json: string): T | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

function stopReason(why: string, { key_expires_at, ephemeral_until }: PublishedSubscription): StopReason {
  if (why !== 'ends') return why as StopReason;
  const byKey = key_expires_at !== null && key_expires_at <= (ephemeral_until ?? Number.POSITIVE_INFINITY);
  return byKey ? 'key_expired' : 'ended';
}
