import { performance } from 'node:perf_hooks';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import { type Batcher, createBatcher } from '@sluice/runtime/timing/batcher';
import type { WebhookCursor, WebhookCursors } from '@sluice/store/outbound/webhook-cursors';
import type { WebhookMessages } from '@sluice/store/outbound/webhook-messages';
import type { WebhookRequests } from '@sluice/store/outbound/webhook-requests';
import type { Redis } from 'ioredis';
import { LEASE_MS, LONGEST_WAIT_MS, SETTLED_AT_ONCE, TURN_MS } from '../queue/limits.ts';
import { popWithin } from '../queue/pop-within.ts';
import type { ReceiverState, StopReason, Turn, Turns } from '../queue/turn.ts';
import { createCountDue } from './count-due.ts';
import { type Claimed, createKnownCursors, type ExpiredChanges, looks } from './known-cursors.ts';
import type { LogReader } from './log-reader.ts';
import { isFull, type NumberRange, type Progress } from './progress.ts';
import type { RedisClock } from './redis-clock.ts';
import { rowsWithoutText, settleOne } from './settle-messages.ts';
import { createTakeMessages } from './take-messages.ts';
import { createTakeRequests, requestDue, type TurnRequests } from './take-requests.ts';
import { CLAIM_CURSORS, NEXT_DUE, RENEW_CURSOR, SETTLE_CURSORS } from './turns.lua.ts';

export interface CursorTurnsDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly reader: LogReader;
  readonly cursors: Pick<WebhookCursors, 'findCursors' | 'writeCursors'>;
  readonly messages: Pick<
    WebhookMessages,
    | 'findMessages'
    | 'waitingMessages'
    | 'firstDue'
    | 'waitingByRecord'
    | 'addWaiting'
    | 'countPending'
    | 'makeDue'
    | 'endWithoutText'
  >;
  readonly requests: Pick<WebhookRequests, 'findRequests' | 'postponeRequest' | 'removeRequests'>;
  /** Called for each account whose subscriptions are not published in this run of Redis. */
  readonly onUnpublished: (accountId: string) => void;
  /** Called when a subscription goes on that was paused or failed for longer than the log is kept. */
  readonly onExpired?: ((expired: ExpiredChanges) => void) | undefined;
  /** Called when a turn could not be read, or cursors could not be stored. It is tried again. */
  readonly onError: (error: unknown) => void;
  /** How much text a turn may keep, in UTF-16 units. Default: TAKEN_TEXT. */
  readonly mostText?: (() => number) | undefined;
  /** Called with the time of Redis at each claim. */
  readonly onTime?: RedisClock['note'];
  /** Milliseconds since the Unix epoch by Redis's clock. */
  readonly now: () => number;
}

type SettleReply =
  | ['lost']
  | ['ended']
  | ['go_on', leaseMs: number, last: string, confirms: string, skipped: string[]];

interface Settling {
  readonly reply: SettleReply;
  /** When the script was asked, by performance.now(). */
  readonly sent: number;
}

interface CursorCommands {
  sluiceClaimCursors(key: string, ...args: (string | number)[]): Promise<[string[], Claimed[], number]>;
  sluiceSettleCursors(key: string, ...args: (string | number)[]): Promise<SettleReply[]>;
  sluiceRenewCursor(key: string, ...args: (string | number)[]): Promise<[string, (string | number)?]>;
  sluiceNextDue(key: string): Promise<number>;
}

interface Asked {
  readonly turn: Turn;
  readonly progress: Progress;
  readonly wants: boolean;
  readonly held: boolean;
  readonly dueMs: number;
  readonly cursor: number;
  /** Nothing of it has failed, so Redis knows all of its cursor. */
  readonly calm: boolean;
}

/** What is answered of what was asked, if something is left. */
const UNANSWERED = '-';

/** Turns at cursors: a subscription reads the log of its account from its cursor on. */
export function createCursorTurns(deps: CursorTurnsDeps): Turns {
  const { redis, shards, messages, onUnpublished, onTime, now } = deps;
  const commands = withScripts<CursorCommands>(redis, {
    sluiceClaimCursors: CLAIM_CURSORS,
    sluiceSettleCursors: SETTLE_CURSORS,
    sluiceRenewCursor: RENEW_CURSOR,
    sluiceNextDue: NEXT_DUE,
  });
  const known = createKnownCursors(deps);
  const requests = createTakeRequests(deps);
  const take = createTakeMessages({ ...deps, requests });
  const progresses = new WeakMap<Turn, Progress>();
  const settlers = new Map<Keyspace, Batcher<Asked, Settling>>(
    shards.all.map((keyspace) => [
      keyspace,
      createBatcher({
        run: (batch: readonly Asked[]) => sendSettlements(keyspace, batch),
        maxItems: SETTLED_AT_ONCE,
        maxRunning: Number.POSITIVE_INFINITY,
      }),
    ]),
  );

  async function sendSettlements({ prefix, cursors: key }: Keyspace, batch: readonly Asked[]) {
    const args = batch.flatMap(({ turn, progress, wants, held, dueMs, cursor, calm }) => [
      turn.subscription.subscription_id,
      turn.token,
      turn.subscription.version,
      progress.confirms,
      progress.last,
      wants ? 1 : 0,
      held ? 1 : 0,
      dueMs,
      cursor,
      calm ? 1 : 0,
      progress.asked,
      // The next turn looks for requests that are left.
      requestDue(progress.requests) === null ? progress.asked : UNANSWERED,
      progress.state.firstFailureAt === null ? 0 : 1,
    ]);
    const sent = performance.now();
    const replies = await commands.sluiceSettleCursors(key, prefix, TURN_MS, LEASE_MS, ...args);
    return replies.map((reply) => ({ reply, sent }));
  }

  const toTurn = (one: Claimed, sent: number, requestsOf: (id: string) => TurnRequests): Turn | undefined => {
    const [id, accountId, , turn, leaseMs, , last, confirms, , , skipped, asked] = one;
    const at = known.of(id);
    if (at === undefined) return undefined;
    const { subscription, cursor, state } = at;
    const made: Turn = {
      ...{ accountId, subscription, token: turn, leaseUntil: sent + leaseMs, state },
      entries: [],
    };
    progresses.set(made, {
      ...{ turn: Number(turn), state, confirms, last: Number(last), skipped: skipped.map(rangeOf) },
      ...{ read: cursor.number, checked: cursor.number, seen: cursor.seen, retryAt: cursor.retry_at },
      ...{
        taken: new Map(),
        rows: new Set(),
        sent: new Set(),
        back: new Map(),
        waiting: undefined,
        pending: undefined,
        asked,
      },
      requests: requestsOf(id),
    });
    return made;
  };

  return {
    async claim({ shard, limit, perTurn }) {
      const { cursors: key, prefix } = shards.all[shard] as Keyspace;
      const sent = performance.now();
      const args = [prefix, TURN_MS, LEASE_MS, limit];
      const [unpublished, claimed, redisMs] = await commands.sluiceClaimCursors(key, ...args);
      onTime?.(redisMs, sent);
      for (const accountId of new Set(unpublished)) onUnpublished(accountId);
      if (claimed.length === 0) return [];
      const [requestsOf] = await Promise.all([
        requests.load(claimed.filter(looks).map(([id]) => id)),
        known.load(claimed),
      ]);
      const turns = claimed.flatMap((one) => toTurn(one, sent, requestsOf) ?? []);
      const taken = await Promise.allSettled(
        turns.map(async (turn) => {
          const progress = progresses.get(turn) as Progress;
          const entries = await take(turn, progress, turn.state.probing ? 1 : perTurn);
          const made: Turn = { ...turn, entries };
          progresses.set(made, progress);
          return made;
        }),
      );
      // One that cannot be read is claimed again once it is lost. The others go on.
      for (const one of taken) if (one.status === 'rejected') deps.onError(one.reason);
      return taken.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    },
    async settle(turn, { results, state, more }) {
      const progress = progresses.get(turn) as Progress;
      const { subscription_id } = turn.subscription;
      await messages.endWithoutText(subscription_id, rowsWithoutText(progress, results));
      for (const result of results) settleOne(progress, result);
      await requests.settle(progress.requests, results);
      // A receiver that is back gets at once what had failed while it was probed.
      if (progress.state.probing && !state.probing && progress.retryAt !== null) {
        await messages.makeDue(subscription_id, now());
        progress.retryAt = now();
      }
      progress.state = state;
      const isHeld = () => state.notBefore > now();
      while (true) {
        const entries = await take(turn, progress, more);
        if (entries.length > 0 || progress.taken.size > 0)
          return { status: 'go_on', entries, leaseUntil: turn.leaseUntil };
        const first = progress.back.size > 0 ? Math.min(...progress.back.keys()) - 1 : progress.read;
        const cursor: WebhookCursor = {
          ...{ subscription_id, turn: progress.turn, number: first },
          seen: progress.checked < progress.seen ? progress.seen : progress.read,
          ...{ retry_at: progress.retryAt, state: JSON.stringify(state) },
          version: turn.subscription.version,
        };
        const calm = await known.keep(cursor, state);
        const hasMore = !isFull(progress) && (progress.back.size > 0 || progress.checked < progress.last);
        const { reply, sent } = await (
          settlers.get(shards.of(turn.accountId)) as Batcher<Asked, Settling>
        ).submit({
          ...{ turn, progress, held: isHeld() || isFull(progress) },
          wants: more > 0,
          ...{ dueMs: dueMs(progress, state, hasMore), cursor: first, calm },
        });
        if (reply[0] !== 'go_on') return { status: reply[0] };
        const [, leaseMs, last, confirms, skipped] = reply;
        Object.assign(progress, { last: Number(last), confirms, skipped: skipped.map(rangeOf) });
        Object.assign(turn, { leaseUntil: sent + leaseMs });
      }
    },
    async renew(turn) {
      const { prefix, cursors: key } = shards.of(turn.accountId);
      const { subscription_id, version } = turn.subscription;
      const sent = performance.now();
      const { asked } = progresses.get(turn) as Progress;
      const args = [prefix, TURN_MS, LEASE_MS, subscription_id, turn.token, version, asked];
      const [status, value] = await commands.sluiceRenewCursor(key, ...args);
      if (status === 'leased') return { status, leaseUntil: sent + Number(value) };
      if (status === 'stopped') return { status, why: String(value) as StopReason };
      return { status: 'lost' };
    },
    countDue: createCountDue(deps),
    async waitForWork({ shard, timeoutMs, redis: blocking }) {
      const { cursors: key, turnsWake } = shards.all[shard] as Keyspace;
      const dueInMs = await commands.sluiceNextDue(key);
      const waitMs = Math.min(timeoutMs, LONGEST_WAIT_MS, dueInMs < 0 ? Number.POSITIVE_INFINITY : dueInMs);
      if (waitMs > 0) await popWithin(blocking, turnsWake, waitMs);
    },
  };

  /** Milliseconds until something may be sent; -1 if nothing waits. */
  function dueMs({ retryAt, requests: left }: Progress, state: ReceiverState, hasMore: boolean): number {
    const waits = hasMore || (state.probing && retryAt !== null) ? 0 : retryAt;
    const dues = [requestDue(left), state.notBefore > now() ? state.notBefore : waits];
    const due = Math.min(...dues.map((one) => one ?? Number.POSITIVE_INFINITY));
    return due === Number.POSITIVE_INFINITY ? -1 : Math.max(0, due - now());
  }
}

/** The numbers of a batch, from its name in Redis. */
function rangeOf(batch: string): NumberRange {
  const [first = 0, count = 0] = batch.split(':').map(Number);
  return { first, end: first + count };
}
