import type { OverflowStore } from '@sluice/contract/subscription/mailbox-overflow';
import { createMailboxes, type Mailboxes } from '@sluice/outbound/queue/mailboxes';
import type { Turn } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { claimLoaded } from './claim-loaded.ts';
import { overflowInMemory } from './overflow-in-memory.ts';
import { ACCOUNT, change, changeIds, done, subscription, useMailboxes } from './use-mailboxes.ts';

const LIMITS = { usual: 6, probed: 3, spilledAt: 2, movedAtOnce: 4, loadedRowsMs: 600_000 };

/** The changes between two numbers. */
export const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `c${from + n}`);

/** A mailbox with so little room that 14 of its 20 messages are in MongoDB. */
export function useFullMailbox() {
  const room = useMailboxes();
  let mailboxes: Mailboxes;

  const push = async (from: number, count: number) => {
    const changes = Array.from({ length: count }, (_, n) => change(`c${from + n}`));
    expect(await mailboxes.push(ACCOUNT, await room.version(), changes)).to.deep.equal({ status: 'pushed' });
  };
  const republish = () => room.publishAll(subscription());
  /** Six messages are in Redis, the others in MongoDB. */
  async function fill(store: OverflowStore = overflowInMemory().store, limits: Partial<typeof LIMITS> = {}) {
    const deps = { redis: room.redis(), shards: room.shards(), overflowStore: store };
    mailboxes = createMailboxes({ ...deps, overflowLimits: { ...LIMITS, ...limits } });
    await republish();
    await push(1, 6);
    await push(7, 14);
  }
  const claim = async (): Promise<Turn | undefined> =>
    (await claimLoaded(mailboxes, { shard: 0, limit: 1, perTurn: 4 }))[0];

  /** Claims a turn, and checks what it has. */
  async function take(from: number, to: number): Promise<Turn> {
    const turn = await claim();
    if (turn === undefined) throw new Error('nothing is due');
    expect(changeIds(turn)).to.deep.equal(numbers(from, to));
    return turn;
  }
  const settle = (turn: Turn) => mailboxes.settle(turn, { results: done(turn), state: turn.state, more: 0 });
  /** Delivers the messages in Redis. The next claim reads MongoDB. */
  async function deliverFront(): Promise<void> {
    await settle(await take(1, 4));
    await settle(await take(5, 6));
  }
  /** Delivers all that waits. Returns the changes in order. */
  async function drain(): Promise<string[]> {
    const taken: string[] = [];
    for (let turn = await claim(); turn !== undefined; turn = await claim()) {
      taken.push(...changeIds(turn));
      await settle(turn);
    }
    return taken;
  }
  return {
    ...{ room, republish, push, fill, take, settle, deliverFront, drain },
    mailboxes: () => mailboxes,
  };
}
