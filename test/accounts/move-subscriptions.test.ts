import { moveAccounts } from '@sluice/accounts/shards/move-accounts';
import { createHoldWrites } from '@sluice/admission/replica-wait';
import { createSubscriptionDirectory } from '@sluice/outbound/directory/subscription-directory';
import { createAccountLog } from '@sluice/outbound/log/account-log';
import { createLogReader } from '@sluice/outbound/log/log-reader';
import { createPublishLost } from '@sluice/outbound/log/publish-lost';
import { createCursorTurns } from '@sluice/outbound/log/turns';
import type { Turn } from '@sluice/outbound/queue/turn';
import { createShards } from '@sluice/redis/shards/shards';
import { connectStore, type Store } from '@sluice/store/connect';
import { expect } from 'chai';
import { subscription } from '../outbound/directory/support/use-directory.ts';
import { change, changeIds, endAttempts } from '../outbound/log/support/use-cursors.ts';
import { useTestMongo } from '../support/mongo-server.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';

const ACCOUNTS = ['acc_a', 'acc_b', 'acc_c', 'acc_d', 'acc_e', 'acc_f'];
const fail = (error: unknown) => {
  throw error;
};

describe('moving accounts with webhook subscriptions to another shard', function () {
  this.timeout(60_000);
  const mongo = useTestMongo('moved');
  let store: Store;
  const redis = useRedisClient();
  let namespace: string;
  before(async () => {
    store = connectStore({ url: mongo.url, namespace: 'unused' });
    await store.opened();
  });
  beforeEach(async () => {
    namespace = uniqueNamespace('moved');
    for (const name of ['outbound_changes', 'webhook_messages', 'webhook_cursors'])
      await mongo.db.collection(name).deleteMany({});
  });
  after(async () => {
    await store?.close();
  });

  /** The installation as processes with so many shards see it. */
  function of(count: number) {
    const shards = createShards(namespace, count);
    const directory = createSubscriptionDirectory({ redis, shards });
    const log = createAccountLog({ redis, shards });
    const turns = createCursorTurns({
      ...{ redis, shards, reader: createLogReader(store), now: Date.now, onUnpublished: fail, onError: fail },
      ...{ cursors: store.webhookCursors, messages: store.webhookMessages, requests: store.webhookRequests },
    });
    const republish = (account_id: string) =>
      directory.republish(account_id, async () => ({
        put: [subscription({ account_id, subscription_id: `sub_${account_id}` })],
        lastNumber: await store.outboundChanges.lastNumber(account_id),
      }));
    return {
      ...{ shards, log, republish },
      /** Each account is published by the process that looks first. */
      look: createPublishLost({
        ...{ redis, shards, republish },
        stored: {
          subscriptions: { pageAccounts: async (after) => (after === '' ? ACCOUNTS : []) },
          sources: { listSources: async () => [] },
        },
      }),
      async append(account_id: string, ...ids: string[]): Promise<number> {
        const registered = await log.register(account_id, ids.length);
        if (registered.status !== 'open') throw new Error(registered.status);
        const { batch, version } = registered;
        await store.outboundChanges.appendChanges(
          ids.map((id, n) => ({ ...change(`${account_id}_${id}`, { account_id }), number: batch.first + n })),
        );
        expect(await log.confirm(account_id, version, [batch], [])).to.deep.equal({ status: 'confirmed' });
        return batch.first;
      },
      async claim(perTurn: number): Promise<readonly Turn[]> {
        const all = [...shards.all.keys()].map((shard) => turns.claim({ shard, limit: 50, perTurn }));
        return (await Promise.all(all)).flat();
      },
      end: (turn: Turn, failed: Readonly<Record<string, number>> = {}) =>
        endAttempts(turns, store, { turn, entries: turn.entries, failed }),
      async deliver(): Promise<string[]> {
        const sent: string[] = [];
        for (;;) {
          const claimed = (await this.claim(10)).filter(({ entries }) => entries.length > 0);
          if (claimed.length === 0) return sent.sort();
          for (const turn of claimed) {
            sent.push(...changeIds(turn));
            await this.end(turn);
          }
        }
      },
    };
  }

  const move = (count: number) =>
    moveAccounts({ redis, namespace, accountOf: (id) => id, hold: createHoldWrites([]) }, count);
  const named = (...ids: string[]) =>
    ACCOUNTS.flatMap((account) => ids.map((id) => `${account}_${id}`)).sort();

  /** Each account has a message that waits for its retry, and one that was not attempted. */
  async function fill({ republish, append, claim, end }: ReturnType<typeof of>): Promise<number[]> {
    const numbers: number[] = [];
    for (const account of ACCOUNTS) {
      await republish(account);
      numbers.push(await append(account, 'c1', 'c2'));
    }
    const claimed = await claim(1);
    expect(claimed).to.have.length(ACCOUNTS.length);
    for (const turn of claimed) await end(turn, { [`${turn.accountId}_c1`]: 0 });
    return numbers;
  }

  for (const [before, after] of [
    [1, 4],
    [4, 1],
    [4, 3],
  ] as const)
    it(`sends what waits once, without any new change, and numbers go on (${before} to ${after})`, async () => {
      const numbers = await fill(of(before));
      await move(after);
      expect(await move(after), 'a repetition').to.equal(0);
      const now = of(after);
      await now.look();
      expect(await now.deliver()).to.deep.equal(named('c1', 'c2'));
      for (const [n, account] of ACCOUNTS.entries())
        expect(await now.append(account, 'c3')).to.be.above((numbers[n] as number) + 1);
      expect(await now.deliver()).to.deep.equal(named('c3'));
      for (const account of ACCOUNTS)
        for (let shard = 0; shard < Math.max(before, after); shard++) {
          if (shard === now.shards.indexOf(account)) continue;
          const left = await redis.keys(`{${namespace}:${shard}}:*${account}`);
          expect(left.filter((key) => !key.includes(':subscriptions:'))).to.deep.equal([]);
        }
    });

  it('goes on where it was interrupted', async () => {
    await fill(of(1));
    let holds = 0;
    const dying = (async <T>(work: () => Promise<T>) => {
      holds += 1;
      if (holds === 2) throw new Error('killed');
      return work();
    }) as never;
    const deps = { redis, namespace, accountOf: (id: string) => id, hold: dying };
    const died = await moveAccounts(deps, 4).catch((error: Error) => error.message);
    expect(died).to.equal('killed');
    await move(4);
    const now = of(4);
    await now.look();
    expect(await now.deliver()).to.deep.equal(named('c1', 'c2'));
  });

  it('a process that missed the move appends nothing in the old shard, which can have the account again later', async () => {
    const old = of(1);
    await fill(old);
    const account = ACCOUNTS.find((id) => of(4).shards.indexOf(id) !== 0) as string;
    const registered = await old.log.register(account, 1);
    if (registered.status !== 'open') throw new Error(registered.status);
    await move(4);
    const confirmed = await old.log.confirm(account, registered.version, [registered.batch], []);
    expect(confirmed).to.deep.equal({ status: 'stale' });
    expect((await old.log.register(account, 1)).status).to.equal('fenced');
    const now = of(4);
    await now.look();
    const number = await now.append(account, 'c3');
    await move(1);
    await old.look();
    expect(await old.append(account, 'c4')).to.be.above(number);
  });
});
