import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Keyspace } from '@sluice/shards/keyspace';
import type { Shards } from '@sluice/shards/shards';
import type { Redis } from 'ioredis';
import { numberText, readTaken } from './entry.ts';
import { LEASE_MS, TURN_MS } from './limits.ts';
import type { PublishedSubscription } from './published-subscription.ts';
import {
  INITIAL_STATE,
  type MailboxState,
  type Renewed,
  type Result,
  type Settled,
  type StopReason,
  type Turn,
} from './turn.ts';
import { CLAIM, COUNT_DUE, NEXT_DUE, RENEW, SETTLE } from './turns.lua.ts';

export interface Turns {
  /**
   * Claims up to `limit` mailboxes with something due, the longest due first, and takes up to `perTurn` entries of each. A mailbox
   * has at most one turn.
   */
  claim(input: { readonly shard: number; readonly limit: number; readonly perTurn: number }): Promise<Turn[]>;
  /**
   * Stores results and the state, and takes up to `more` entries. The turn ends if it has no entries left. After `lost` nothing
   * of it was stored.
   */
  settle(
    turn: Turn,
    input: { readonly results: readonly Result[]; readonly state: MailboxState; readonly more: number },
  ): Promise<Settled>;
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
  texts: (string | null)[],
];

type SettleReply =
  | ['lost']
  | ['ended']
  | ['go_on', leaseMs: number, entries: string[], texts: (string | null)[]];

interface TurnCommands {
  sluiceClaim(key: string, ...args: (string | number)[]): Promise<[number, string[], ClaimedTurn[]]>;
  sluiceSettleTurn(key: string, ...args: (string | number)[]): Promise<SettleReply>;
  sluiceRenewTurn(key: string, ...args: (string | number)[]): Promise<[string, (string | number)?]>;
  sluiceNextDue(key: string): Promise<number>;
  sluiceCountDue(key: string): Promise<[number, number]>;
}

/** The blocking pop of a wake-up never outlasts this, so that a wake-up that died with its receiver costs at most as much. */
const LONGEST_WAIT_MS = 1_000;

export function createTurns({
  redis,
  shards,
  onUnpublished,
}: {
  redis: Redis;
  shards: Shards;
  onUnpublished?: (accountId: string) => void;
}): Turns {
  redis.defineCommand('sluiceClaim', { numberOfKeys: 1, lua: CLAIM });
  redis.defineCommand('sluiceSettleTurn', { numberOfKeys: 1, lua: SETTLE });
  redis.defineCommand('sluiceRenewTurn', { numberOfKeys: 1, lua: RENEW });
  redis.defineCommand('sluiceCountDue', { numberOfKeys: 1, lua: COUNT_DUE });
  redis.defineCommand('sluiceNextDue', { numberOfKeys: 1, lua: NEXT_DUE });
  const commands = redis as unknown as TurnCommands;
  const turnArgs = ({ accountId, subscription, token }: Turn) => {
    const { prefix } = shards.of(accountId);
    return [prefix, TURN_MS, LEASE_MS, subscription.subscription_id, token, subscription.version];
  };
  const mailboxOf = ({ accountId, subscription }: Turn) =>
    shards.of(accountId).mailbox(subscription.subscription_id);

  return {
    async claim({ shard, limit, perTurn }) {
      const { turns, prefix } = shards.all[shard] as Keyspace;
      const sent = performance.now();
      const args = [prefix, TURN_MS, LEASE_MS, limit, perTurn, randomUUID()];
      const [, unpublished, claimed] = await commands.sluiceClaim(turns, ...args);
      for (const accountId of new Set(unpublished)) onUnpublished?.(accountId);
      return claimed.map((one) => readTurn(one, sent));
    },
    async settle(turn, { results, state, more }) {
      const sent = performance.now();
      const args = [...turnArgs(turn), more, ...stateArgs(state), ...resultArgs(results)];
      const reply = await commands.sluiceSettleTurn(mailboxOf(turn), ...args);
      if (reply[0] !== 'go_on') return { status: reply[0] };
      const [status, leaseMs, entries, texts] = reply;
      return { status, entries: readTaken(entries, texts), leaseUntil: sent + leaseMs };
    },
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
      // A timeout of 0 would block without end.
      if (waitMs > 0) await blocking.blpop(turnsWake, Math.max(waitMs, 1) / 1000);
    },
  };
}

function readTurn([, record, token, leaseMs, state, entries, texts]: ClaimedTurn, sent: number): Turn {
  const subscription = JSON.parse(record) as PublishedSubscription;
  return {
    accountId: subscription.account_id,
    subscription,
    token,
    leaseUntil: sent + leaseMs,
    state: state === null ? INITIAL_STATE : (JSON.parse(state) as MailboxState),
    entries: readTaken(entries, texts),
  };
}

/** The clocks of dispatchers and of Redis may differ, so scripts get durations. */
function msUntil(at: number): number {
  return Math.max(0, Math.round(at - Date.now()));
}

function stateArgs(state: MailboxState): (string | number)[] {
  return [JSON.stringify(state), state.probing ? 1 : 0, msUntil(state.notBefore), state.lastProbed ?? ''];
}

function resultArgs(results: readonly Result[]): (string | number)[] {
  const done: string[] = [];
  const resent: string[] = [];
  const back: string[] = [];
  const again: (string | number)[] = [];
  for (const result of results) {
    const number = numberText(result.number);
    switch (result.outcome) {
      case 'done':
        done.push(number);
        break;
      case 'resent':
        done.push(number);
        resent.push(number);
        break;
      case 'given_back':
        back.push(number);
        break;
      case 'again':
        again.push(number, msUntil(result.dueAt));
        break;
    }
  }
  return [done.length, resent.length, back.length, ...done, ...resent, ...back, ...again];
}

function stopReason(why: string, { key_expires_at, ephemeral_until }: PublishedSubscription): StopReason {
  if (why !== 'ends') return why as StopReason;
  const byKey = key_expires_at !== null && key_expires_at <= (ephemeral_until ?? Number.POSITIVE_INFINITY);
  return byKey ? 'key_expired' : 'ended';
}
