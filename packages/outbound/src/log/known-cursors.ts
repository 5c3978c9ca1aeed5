import { DAY_MS } from '@sluice/contract/time/durations';
import type { Shards } from '@sluice/redis/shards/shards';
import { batchLists } from '@sluice/runtime/timing/batcher';
import { LOG_RETENTION_MS } from '@sluice/store/outbound/outbound-changes';
import type { WebhookCursor, WebhookCursors } from '@sluice/store/outbound/webhook-cursors';
import type { WebhookMessages } from '@sluice/store/outbound/webhook-messages';
import type { Redis } from 'ioredis';
import type { PublishedSubscription } from '../queue/published-subscription.ts';
import { INITIAL_STATE, type ReceiverState } from '../queue/turn.ts';
import type { LogReader } from './log-reader.ts';
import { publishedAt } from './progress.ts';

/** A claim of a turn, as the script returns it (turns.lua.ts). */
export type Claimed = [
  id: string,
  account: string,
  version: string,
  turn: string,
  leaseMs: number,
  settled: string,
  last: string,
  confirms: string,
  cursor: string,
  calm: 0 | 1,
  skipped: string[],
  asked: string,
  answered: string,
];

/** Whether MongoDB may have more of a claimed turn than Redis and this process know: something was asked, or the turn before was not settled. */
export function looks([, , , , , settled, , , , , , asked, answered]: Claimed): boolean {
  return settled === '' || asked !== answered;
}

export interface KnownCursor {
  readonly cursor: WebhookCursor;
  readonly state: ReceiverState;
}

export interface KnownCursorsDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly cursors: Pick<WebhookCursors, 'findCursors' | 'writeCursors'>;
  readonly messages: Pick<WebhookMessages, 'waitingMessages' | 'makeDue'>;
  readonly reader: Pick<LogReader, 'read'>;
  /** Called when a subscription goes on that was paused or failed for longer than the log is kept. */
  readonly onExpired?: ((expired: ExpiredChanges) => void) | undefined;
  /** Called when cursors that Redis knows could not be stored. They are stored later. */
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
}

/** Changes between two times that a subscription had not read have expired, if there were any. Milliseconds since the Unix epoch. */
export interface ExpiredChanges {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly since: number;
  readonly until: number;
}

/** The cursors and subscriptions of a dispatcher's turns. */
export interface KnownCursors {
  /** Loads what this process does not know of claimed turns. */
  load(claimed: readonly Claimed[]): Promise<void>;
  /** Undefined: its record cannot be read. */
  of(subscriptionId: string): (KnownCursor & { readonly subscription: PublishedSubscription }) | undefined;
  /** Resolves once nothing of it can be lost. Returns whether Redis needs its number only. */
  keep(cursor: WebhookCursor, state: ReceiverState): Promise<boolean>;
}

const MOST_CACHED = 100_000;
/** A Redis that was emptied costs look-ups of as many rows as were sent within this. Milliseconds. */
const WRITE_AFTER_MS = 5_000;
const WRITTEN_AT_ONCE = 1_000;

export function createKnownCursors(deps: KnownCursorsDeps): KnownCursors {
  const { redis, shards, cursors, messages, onError, now } = deps;
  /** As this process has settled them last. They count if Redis names the same turn. */
  const known = new Map<string, { readonly cursor: WebhookCursor; readonly state: ReceiverState }>();
  const records = new Map<string, PublishedSubscription>();
  const writeCursors = batchLists(cursors.writeCursors);
  /** Cursors that Redis knows. MongoDB gets them later, for a Redis that has lost them. */
  const unwritten = new Map<string, WebhookCursor>();

  const isNewest = (one: WebhookCursor): boolean => {
    const newest = known.get(one.subscription_id)?.cursor;
    return newest === undefined || newest === one;
  };

  const writeLater = (cursor: WebhookCursor): void => {
    const isFirst = unwritten.size === 0;
    unwritten.set(cursor.subscription_id, cursor);
    if (!isFirst) return;
    setTimeout(() => {
      const all = [...unwritten.values()];
      unwritten.clear();
      for (let at = 0; at < all.length; at += WRITTEN_AT_ONCE) {
        const some = all.slice(at, at + WRITTEN_AT_ONCE);
        writeCursors(some).catch((error: unknown) => {
          onError(error);
          for (const one of some) if (isNewest(one) && !unwritten.has(one.subscription_id)) writeLater(one);
        });
      }
    }, WRITE_AFTER_MS).unref();
  };

  async function loadRecords(claimed: readonly Claimed[]): Promise<void> {
    const missing = claimed.filter(([id, , version]) => records.get(id)?.version !== Number(version));
    if (missing.length === 0) return;
    const pipeline = redis.pipeline();
    for (const [id, account] of missing) pipeline.hget(shards.of(account).mailbox(id), 'record');
    const found = (await pipeline.exec()) ?? [];
    if (records.size > MOST_CACHED) records.clear();
    for (const [index, [id]] of missing.entries()) {
      const [, json] = found[index] ?? [];
      if (typeof json === 'string') records.set(id, JSON.parse(json));
    }
  }

  /**
   * The cursors of claimed turns. MongoDB is asked only for receivers that fail, after a turn that was never settled, and if something was
   * asked. A subscription that was changed may have other rows that are due.
   */
  async function loadCursors(claimed: readonly Claimed[]): Promise<void> {
    if (known.size > MOST_CACHED) known.clear();
    const missing: Claimed[] = [];
    for (const one of claimed) {
      const [id, , version, , , settled, , , , calm] = one;
      const current = settled === '' ? undefined : known.get(id)?.cursor;
      const isKnown = current?.turn === Number(settled) && current.version === Number(version);
      if (isKnown && !looks(one)) continue;
      if (looks(one) || calm === 0) missing.push(one);
      else known.set(id, { cursor: calmCursor(one), state: INITIAL_STATE });
    }
    if (missing.length === 0) return;
    const found = await cursors.findCursors(missing.map(([id]) => id));
    for (const one of missing) {
      const [id] = one;
      const stored = found.get(id);
      const { cursor, state } = await asOfVersion(one, knownAfter(one, stored));
      known.set(id, {
        cursor: { ...cursor, number: Math.max(cursor.number, stored?.passed ?? 0) },
        state,
      });
    }
  }

  /** Moves a cursor that is older than the log, and reports it. Others of that age have read all of a quiet account. */
  async function passExpired([id, accountId, , , , , last]: Claimed): Promise<void> {
    const [at, subscription] = [known.get(id), records.get(id)];
    const until = now() - LOG_RETENTION_MS;
    if (!at || !subscription || at.cursor.number >= (until - DAY_MS) * 1000) return;
    const wasPaused = subscription.fresh_from === subscription.version;
    if (!wasPaused && at.state.firstFailureAt === null) return;
    const { cursor, state } = at;
    const { changes } = await deps.reader.read(accountId, cursor.number, Number(last));
    const number = Math.min(until * 1000, (changes[0]?.number ?? Number.MAX_SAFE_INTEGER) - 1);
    known.set(id, { cursor: { ...cursor, number }, state });
    deps.onExpired?.({ accountId, subscriptionId: id, since: publishedAt(cursor.number), until });
  }

  async function asOfVersion(one: Claimed, { cursor, state }: KnownCursor): Promise<KnownCursor> {
    const [subscription_id, , text] = one;
    const version = Number(text);
    if (!looks(one) && cursor.version === version) return { cursor, state };
    const isFresh = cursor.version < (records.get(subscription_id)?.fresh_from ?? 0);
    if (isFresh) await messages.makeDue(subscription_id, now());
    const [waiting] = await messages.waitingMessages({ subscription_id, limit: 1 });
    const retry_at = waiting === undefined ? null : now();
    return { cursor: { ...cursor, version, retry_at }, state: isFresh ? INITIAL_STATE : state };
  }

  /** What is known of a claimed turn, from its record in MongoDB if it has one. */
  function knownAfter(one: Claimed, found: WebhookCursor | undefined): KnownCursor {
    const [id, , , , , settled, last, , number, calm] = one;
    const current = known.get(id);
    if (settled !== '' && current?.cursor.turn === Number(settled)) return current;
    if (settled !== '' && calm === 1) return { cursor: calmCursor(one), state: INITIAL_STATE };
    const stored = found ?? newCursor(id, records.get(id));
    const state = stored.state === '' ? INITIAL_STATE : (JSON.parse(stored.state) as ReceiverState);
    if (settled !== '' && stored.turn === Number(settled)) return { cursor: stored, state };
    // Messages behind the cursor may have been sent, and may have failed. Their rows say which.
    const seen = Math.max(stored.seen, Number(last));
    return { cursor: { ...stored, number: Math.max(stored.number, Number(number)), seen }, state };
  }

  return {
    async load(claimed) {
      await loadRecords(claimed);
      await loadCursors(claimed);
      await Promise.all(claimed.map(passExpired));
    },
    of(id) {
      const [subscription, at] = [records.get(id), known.get(id)];
      return subscription === undefined || at === undefined ? undefined : { ...at, subscription };
    },
    async keep(cursor, state) {
      const calm = isCalm(cursor, state);
      known.set(cursor.subscription_id, { cursor, state });
      if (calm) writeLater(cursor);
      else {
        // A turn keeps several, of which the last one counts.
        unwritten.delete(cursor.subscription_id);
        await writeCursors([cursor]);
      }
      return calm;
    },
  };
}

/** Whether Redis knows all of it: its number is enough. */
function isCalm({ retry_at, number, seen }: WebhookCursor, state: ReceiverState): boolean {
  return retry_at === null && number >= seen && state.firstFailureAt === null && state.notBefore === 0;
}

function calmCursor([subscription_id, , version, , , settled, , , number]: Claimed): WebhookCursor {
  const [turn, at] = [Number(settled), Number(number)];
  return { subscription_id, turn, number: at, seen: at, retry_at: null, state: '', version: Number(version) };
}

/** Clocks of processes differ by less. Milliseconds. */
const CLOCKS_MS = 60_000;

/** A new subscription begins to read here. What was made before it existed is left out later, by its time. */
export function firstNumber({ created_at }: Pick<PublishedSubscription, 'created_at'>): number {
  return (created_at - CLOCKS_MS) * 1000;
}

function newCursor(subscription_id: string, subscription: PublishedSubscription | undefined): WebhookCursor {
  const number = subscription === undefined ? 0 : firstNumber(subscription);
  return { subscription_id, turn: 0, number, seen: number, retry_at: null, state: '', version: 0 };
}
