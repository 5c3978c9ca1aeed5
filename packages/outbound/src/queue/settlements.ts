import { performance } from 'node:perf_hooks';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';
import { numberText } from './entry.ts';
import { LEASE_MS, SETTLED_AT_ONCE, TURN_MS } from './limits.ts';
import type { MailboxState, Result, Settlement, Turn } from './turn.ts';
import { SETTLE } from './turns.lua.ts';

export type SettleReply =
  | ['lost']
  | ['ended']
  | ['load', leaseMs: number, range: [] | [from: number, to: number, era: string]]
  | ['go_on', leaseMs: number, entries: string[], texts: (string | null)[]];

/** The reply of the script, and when it was asked, by performance.now(). */
export interface Settling {
  readonly reply: SettleReply;
  readonly sent: number;
}

interface Waiting {
  readonly turn: Turn;
  readonly settlement: Settlement;
  readonly resolve: (settling: Settling) => void;
  readonly reject: (error: unknown) => void;
}

interface SettleCommands {
  sluiceSettleTurns(
    mailbox: string,
    ...args: (string | number)[]
  ): Promise<(SettleReply | ['failed', why: string])[]>;
}

/**
 * Settles turns. Those of a shard that end at the same time share one script, because a separate script costs as much as several
 * settlements. None waits for another: what is asked for in one task of the event loop is sent at its end.
 */
export function createSettlements({ redis, shards }: { redis: Redis; shards: Shards }) {
  const commands = withScripts<SettleCommands>(redis, { sluiceSettleTurns: SETTLE });
  const waiting = new Map<Keyspace, Waiting[]>();

  async function send({ prefix, mailbox }: Keyspace, batch: readonly Waiting[]): Promise<void> {
    const sent = performance.now();
    const first = batch[0] as Waiting;
    try {
      const key = mailbox(first.turn.subscription.subscription_id);
      const replies = await commands.sluiceSettleTurns(
        ...([key, prefix, TURN_MS, LEASE_MS] as const),
        ...batch.flatMap(argsOf),
      );
      for (const [n, { resolve, reject }] of batch.entries()) {
        const reply = replies[n] ?? ['failed', 'no reply'];
        if (reply[0] === 'failed') reject(new Error(`a turn was not settled: ${reply[1]}`));
        else resolve({ reply, sent });
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function flush(): void {
    const all = [...waiting];
    waiting.clear();
    for (const [keyspace, asked] of all) for (const batch of batchesOf(asked)) void send(keyspace, batch);
  }

  return (turn: Turn, settlement: Settlement): Promise<Settling> =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(flush);
      const keyspace = shards.of(turn.accountId);
      const one = { turn, settlement, resolve, reject };
      const others = waiting.get(keyspace);
      if (others === undefined) waiting.set(keyspace, [one]);
      else others.push(one);
    });
}

/** Batches of at most SETTLED_AT_ONCE turns and entries, because a script blocks Redis. */
function batchesOf(asked: readonly Waiting[]): Waiting[][] {
  const batches: Waiting[][] = [];
  let batch: Waiting[] = [];
  let entries = 0;
  for (const one of asked) {
    const own = entriesOf(one.settlement);
    if (
      batch.length === SETTLED_AT_ONCE.turns ||
      (batch.length > 0 && entries + own > SETTLED_AT_ONCE.entries)
    ) {
      batches.push(batch);
      [batch, entries] = [[], 0];
    }
    batch.push(one);
    entries += own;
  }
  batches.push(batch);
  return batches;
}

/** How many entries its script touches. For a resend it looks at all entries of the mailbox, so no turn with entries shares it. */
function entriesOf({ results, more }: Settlement): number {
  return results.some(({ outcome }) => outcome === 'resent')
    ? SETTLED_AT_ONCE.entries
    : results.length + more;
}

/** The arguments of a turn after their number. The clock is read now, because the script runs now. */
function argsOf({
  turn,
  settlement: { results, state, more, now = Date.now },
}: Waiting): (string | number)[] {
  const { subscription, token } = turn;
  const at = now();
  const args = [
    ...[subscription.subscription_id, token, subscription.version, more],
    ...stateArgs(state, turn.state, at),
    ...resultArgs(results, at),
  ];
  return [args.length, ...args];
}

/** Known to the script (turns.lua.ts). */
const KEEPS = 'keeps';

/** The clocks of dispatchers and of Redis may differ, so scripts get durations. */
function msUntil(at: number, now: number): number {
  return Math.max(0, Math.round(at - now));
}

/** KEEPS: the wait that Redis knows. The clock of this process may have jumped since it was read. */
function stateArgs(state: MailboxState, before: MailboxState, now: number): (string | number)[] {
  const isSame = state.notBefore > 0 && state.notBefore === before.notBefore;
  const waitMs = isSame ? KEEPS : msUntil(state.notBefore, now);
  return [JSON.stringify(state), state.probing ? 1 : 0, waitMs, state.lastProbed ?? ''];
}

function resultArgs(results: readonly Result[], now: number): (string | number)[] {
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
        again.push(number, msUntil(result.dueAt, now));
        break;
    }
  }
  return [done.length, resent.length, back.length, ...done, ...resent, ...back, ...again];
}
