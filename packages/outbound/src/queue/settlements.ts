import { performance } from 'node:perf_hooks';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import { type Batcher, createBatcher } from '@sluice/runtime/timing/batcher';
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

interface Asked {
  readonly turn: Turn;
  readonly settlement: Settlement;
}

type Reply = SettleReply | ['failed', why: string];

interface Replied {
  readonly reply: Reply;
  readonly sent: number;
}

interface SettleCommands {
  sluiceSettleTurns(mailbox: string, ...args: (string | number)[]): Promise<Reply[]>;
}

/**
 * Settles turns. Those of a shard that end at the same time share one script, because a separate script costs as much as several
 * settlements. None waits for another: what is asked for in one task of the event loop is sent at its end.
 */
export function createSettlements({ redis, shards }: { redis: Redis; shards: Shards }) {
  const commands = withScripts<SettleCommands>(redis, { sluiceSettleTurns: SETTLE });
  const batchers = new Map(
    shards.all.map((keyspace) => [
      keyspace,
      createBatcher({
        run: (batch: readonly Asked[]) => send(keyspace, batch),
        // A script blocks Redis.
        maxItems: SETTLED_AT_ONCE.turns,
        sizeOf: entriesOf,
        maxSize: SETTLED_AT_ONCE.entries,
        maxRunning: Number.POSITIVE_INFINITY,
      }),
    ]),
  );

  async function send({ prefix, mailbox }: Keyspace, batch: readonly Asked[]): Promise<readonly Replied[]> {
    const sent = performance.now();
    const key = mailbox((batch[0] as Asked).turn.subscription.subscription_id);
    const replies = await commands.sluiceSettleTurns(
      ...([key, prefix, TURN_MS, LEASE_MS] as const),
      ...batch.flatMap(argsOf),
    );
    return batch.map((_, n) => ({ reply: replies[n] ?? ['failed', 'no reply'], sent }));
  }

  return async (turn: Turn, settlement: Settlement): Promise<Settling> => {
    const batcher = batchers.get(shards.of(turn.accountId)) as Batcher<Asked, Replied>;
    const { reply, sent } = await batcher.submit({ turn, settlement });
    if (reply[0] === 'failed') throw new Error(`a turn was not settled: ${reply[1]}`);
    return { reply, sent };
  };
}

/** How many entries its script touches. For a resend it looks at all entries of the mailbox, so no turn with entries shares it. */
function entriesOf({ settlement: { results, more } }: Asked): number {
  return results.some(({ outcome }) => outcome === 'resent')
    ? SETTLED_AT_ONCE.entries
    : results.length + more;
}

/** The arguments of a turn after their number. The clock is read now, because the script runs now. */
function argsOf({ turn, settlement: { results, state, more, now = Date.now } }: Asked): (string | number)[] {
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
