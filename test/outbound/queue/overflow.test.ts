import type { OverflowStore } from '@sluice/contract/subscription/mailbox-overflow';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { createMailboxes, type Mailboxes } from '@sluice/outbound/queue/mailboxes';
import { INITIAL_STATE, type Settled, type Turn } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { claimLoaded } from './support/claim-loaded.ts';
import { overflowInMemory } from './support/overflow-in-memory.ts';
import { ACCOUNT, change, changeIds, done, subscription, useMailboxes } from './support/use-mailboxes.ts';

const LIMITS = { usual: 6, probed: 3, spilledAt: 2, movedAtOnce: 4, loadedRowsMs: 600_000 };

describe('a full mailbox', () => {
  const room = useMailboxes();
  let mailboxes: Mailboxes;
  let failed: unknown[];

  /** Mailboxes with little room in the same namespace. */
  function open(store: OverflowStore = overflowInMemory().store): void {
    failed = [];
    const deps = { redis: room.redis(), shards: room.shards(), overflowLimits: LIMITS };
    const onSpillFailed = (error: unknown) => failed.push(error);
    mailboxes = createMailboxes({ ...deps, overflowStore: store, onSpillFailed });
  }
  const push = async (from: number, count: number) => {
    const changes = Array.from({ length: count }, (_, n) => change(`c${from + n}`));
    expect(await mailboxes.push(ACCOUNT, await room.version(), changes)).to.deep.equal({ status: 'pushed' });
  };
  const entryOf = (id: string) => ({
    ...{ changeId: id, messageId: `msg_${id}_sub_1`, kind: 'lead.created', recordId: `rec_${id}` },
  });
  const claimOne = async (): Promise<Turn> => {
    const [turn] = await claimLoaded(mailboxes, { shard: 0, limit: 1, perTurn: 4 });
    if (turn === undefined) throw new Error('nothing is due');
    return turn;
  };
  const settle = (
    turn: Turn,
    results: Parameters<Mailboxes['settle']>[1]['results'],
    state = INITIAL_STATE,
  ) => mailboxes.settle(turn, { results, state, more: 0 });
  /** Delivers all that waits. Returns the changes in order. */
  async function drain(): Promise<string[]> {
    const taken: string[] = [];
    for (;;) {
      const [turn] = await claimLoaded(mailboxes, { shard: 0, limit: 1, perTurn: 4 });
      if (turn === undefined) return taken;
      taken.push(...changeIds(turn));
      await settle(turn, done(turn));
    }
  }
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => `c${from + n}`);

  /** Sends a message again, and delivers it. */
  async function resend(id: string): Promise<Settled> {
    expect(await mailboxes.pushRedelivery(ACCOUNT, 'sub_1', entryOf(id))).to.equal('pushed');
    const turn = await claimOne();
    expect(changeIds(turn)).to.deep.equal([id]);
    return settle(turn, [{ number: turn.entries[0]?.number ?? 0, outcome: 'resent' }]);
  }

  it('delivers a message once that waits in MongoDB and is sent again', async () => {
    open();
    await room.publishAll(subscription());
    await push(1, 20);
    await resend('c15');
    expect(await drain()).to.deep.equal(numbers(1, 20).filter((id) => id !== 'c15'));
    // It is forgotten once nothing is in MongoDB.
    expect(await room.redis().hexists(room.keyspace().mailbox('sub_1'), 'dropped')).to.equal(0);
  });

  it('delivers it once if it is on its way to MongoDB meanwhile', async () => {
    const { store } = overflowInMemory();
    let during: (() => Promise<unknown>) | undefined;
    open({
      ...store,
      async insertRows(rows) {
        await store.insertRows(rows);
        const run = during;
        during = undefined;
        await run?.();
      },
    });
    await room.publishAll(subscription());
    await push(1, 7);
    during = () => resend('c9');
    await push(8, 4);
    await push(12, 4);
    expect(await drain()).to.deep.equal(numbers(1, 15).filter((id) => id !== 'c9'));
  });

  it('keeps no other mailbox waiting while its messages are read from MongoDB', async () => {
    open({ ...overflowInMemory().store, readRows: () => new Promise(() => {}) });
    await room.publishAll(subscription(), subscription({ subscription_id: 'sub_2' }));
    await push(1, 7);
    const claim = () => mailboxes.claim({ shard: 0, limit: 2, perTurn: LIMITS.usual });
    for (const turn of await claim()) await settle(turn, done(turn));
    await mailboxes.push(ACCOUNT, await room.version(), [change('c8', { to: ['sub_2'] })]);
    const turns = await claim();
    const taken = turns.map((turn) => [turn.subscription.subscription_id, changeIds(turn)]);
    expect(taken).to.have.deep.members([
      ['sub_1', []],
      ['sub_2', ['c8']],
    ]);
  });

  it('sends no message before earlier ones of its record in MongoDB where it is ordered, and says so', async () => {
    open();
    await room.publishAll(subscription({ ordered: true }));
    const changes = Array.from({ length: 20 }, (_, n) => change(`c${n + 1}`, { recordId: 'a' }));
    await mailboxes.push(ACCOUNT, await room.version(), changes);
    await push(21, 4);
    const ask = (id: string) => mailboxes.pushRedelivery(ACCOUNT, 'sub_1', { ...entryOf(id), recordId: 'a' });
    expect(await ask('c15')).to.equal('in_order');
    expect(await ask('c0')).to.equal('pushed');
    expect((await drain()).filter((id) => id === 'c15' || id === 'c14')).to.deep.equal(['c14', 'c15']);
  });

  it('ends its turn and accepts more while MongoDB is away, and moves what is too much later', async () => {
    const { store, rows } = overflowInMemory();
    let isAway = true;
    open({
      ...store,
      async insertRows(added) {
        if (isAway) throw new Error('MongoDB is away');
        await store.insertRows(added);
      },
    });
    await room.publishAll(subscription());
    await push(1, 6);
    const turn = await claimOne();
    const probing = { ...INITIAL_STATE, probing: true, notBefore: Date.now() + HOUR_MS };
    const back = turn.entries.map(({ number }) => ({ number, outcome: 'given_back' as const }));
    await push(7, 6);
    expect(await settle(turn, back, probing)).to.deep.equal({ status: 'ended' });
    expect(failed).to.not.deep.equal([]);
    expect(await mailboxes.pushRecovered(ACCOUNT, 'sub_1', [{ ...entryOf('c0'), at: 0 }])).to.equal('pushed');
    isAway = false;
    await push(13, 2);
    expect(rows()).to.not.deep.equal([]);
    const [status] = await mailboxes.status(ACCOUNT, ['sub_1']);
    expect(status?.waiting).to.equal(15);
  });
});
