import type { OverflowStore } from '@sluice/contract/subscription/mailbox-overflow';
import { createMailboxes, type Mailboxes } from '@sluice/outbound/queue/mailboxes';
import { INITIAL_STATE } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { claimLoaded } from './support/claim-loaded.ts';
import { overflowInMemory } from './support/overflow-in-memory.ts';
import { ACCOUNT, change, changeIds, done, subscription, useMailboxes } from './support/use-mailboxes.ts';

const LIMITS = { usual: 6, probed: 3, spilledAt: 2, movedAtOnce: 4, loadedRowsMs: 600_000 };

describe('a mailbox whose messages in MongoDB are discarded', () => {
  const room = useMailboxes();
  let mailboxes: Mailboxes;
  /** Runs once, after the next rows are in MongoDB and before Redis learns of it. */
  let during: (() => Promise<unknown>) | undefined;

  beforeEach(async () => {
    during = undefined;
    const { store } = overflowInMemory();
    const overflowStore: OverflowStore = {
      ...store,
      async insertRows(rows) {
        await store.insertRows(rows);
        const run = during;
        during = undefined;
        await run?.();
      },
    };
    const deps = { redis: room.redis(), shards: room.shards(), overflowLimits: LIMITS };
    mailboxes = createMailboxes({ ...deps, overflowStore });
    await room.publishAll(subscription());
  });

  const push = async (from: number, count: number) => {
    const changes = Array.from({ length: count }, (_, n) => change(`c${from + n}`));
    expect(await mailboxes.push(ACCOUNT, await room.version(), changes)).to.deep.equal({ status: 'pushed' });
  };
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => `c${from + n}`);
  /** Delivers all that waits. Returns the changes in order. */
  async function drain(): Promise<string[]> {
    const taken: string[] = [];
    for (;;) {
      const [turn] = await claimLoaded(mailboxes, { shard: 0, limit: 1, perTurn: 4 });
      if (turn === undefined) return taken;
      taken.push(...changeIds(turn));
      await mailboxes.settle(turn, { results: done(turn), state: INITIAL_STATE, more: 0 });
    }
  }
  /** Begins to discard. It waits before it reads from MongoDB, until `goOn` is called. Resolves once it waits. */
  async function beginDiscarding() {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let discarded: Promise<number> | undefined;
    await new Promise<void>((waits) => {
      discarded = mailboxes.discard(ACCOUNT, 'sub_1', () => {
        waits();
        return gate;
      });
    });
    return { goOn, discarded: () => discarded };
  }
  const discardedIds = async () => {
    const { entries } = await mailboxes.nextDiscarded(ACCOUNT, 'sub_1', 100);
    return [...new Set(entries.map(({ changeId }) => changeId))].sort();
  };

  it('sends nothing of it in a turn that reads from MongoDB meanwhile', async () => {
    await push(1, 20);
    const { goOn, discarded } = await beginDiscarding();
    expect(await drain()).to.deep.equal([]);
    goOn();
    expect(await discarded()).to.equal(20);
    expect(await drain()).to.deep.equal([]);
    expect(await discardedIds()).to.deep.equal(numbers(1, 20).sort());
  });

  it('sends none that were on their way to MongoDB, and all that came later', async () => {
    await push(1, 20);
    let discarding: Awaited<ReturnType<typeof beginDiscarding>> | undefined;
    during = async () => {
      discarding = await beginDiscarding();
    };
    await push(21, 2);
    await push(23, 3);
    discarding?.goOn();
    expect(await discarding?.discarded()).to.equal(22);
    expect(await drain()).to.deep.equal(numbers(23, 25));
    expect(await discardedIds()).to.deep.equal(numbers(1, 22).sort());
    const kept = await room.redis().hexists(room.keyspace().mailbox('sub_1'), 'discarded_to');
    expect(kept, 'it is forgotten once nothing is in MongoDB').to.equal(0);
  });
});
