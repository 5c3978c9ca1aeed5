import { moveAccounts } from '@sluice/accounts/shards/move-accounts';
import { createHoldWrites } from '@sluice/admission/replica-wait';
import { createMailboxes } from '@sluice/outbound/queue/mailboxes';
import { createSubscriptionDirectory } from '@sluice/outbound/queue/subscription-directory';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { change, subscription } from '../outbound/queue/support/use-mailboxes.ts';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';

const ACCOUNTS = ['acc_a', 'acc_b', 'acc_c', 'acc_d', 'acc_e', 'acc_f'];

describe('moving mailboxes to another shard', function () {
  this.timeout(120_000);
  let redis: Redis;
  let namespace: string;
  before(() => {
    redis = new Redis(sharedRedisUrl());
  });
  beforeEach(() => {
    namespace = uniqueNamespace('moved');
  });
  after(() => redis?.disconnect());

  /** The installation as processes with so many shards see it. */
  function of(count: number) {
    const shards = createShards(namespace, count);
    const directory = createSubscriptionDirectory({ redis, shards });
    const mailboxes = createMailboxes({ redis, shards });
    const mine = (account_id: string, version = 1) =>
      subscription({ account_id, subscription_id: `sub_${account_id}`, ordered: true, version });
    return {
      ...{ shards, directory, mailboxes, mine },
      republish: (accountId: string, version = 1) =>
        directory.republish(accountId, async () => ({ put: [mine(accountId, version)], wantsEvents: true })),
      async push(accountId: string, ...ids: string[]) {
        const found = await directory.version(accountId);
        if (found.status !== 'version') return found.status;
        const to = [`sub_${accountId}`];
        const changes = ids.map((id) => change(`${accountId}_${id}`, { recordId: id.charAt(0), to }));
        return (await mailboxes.push(accountId, found.version, changes)).status;
      },
      /** The changes that wait, in the order of a delivery one after the other. */
      async deliver(): Promise<string[]> {
        const sent: string[] = [];
        for (const shard of shards.all.keys()) {
          for (let rounds = 0; rounds < 10; rounds++) {
            for (const turn of await mailboxes.claim({ shard, limit: 50, perTurn: 1 })) {
              sent.push(...turn.entries.map(({ changeId }) => changeId));
              const results = turn.entries.map(({ number }) => ({ number, outcome: 'done' as const }));
              await mailboxes.settle(turn, { results, state: turn.state, more: 0 });
            }
          }
        }
        return sent;
      },
    };
  }

  const move = (count: number) =>
    moveAccounts({ redis, namespace, accountOf: (id) => id, hold: createHoldWrites([]) }, count);

  /** Each mailbox has new entries, one to retry, and one that is held behind it. One that moves has a running turn too. */
  async function fill({ mailboxes, republish, push, shards }: ReturnType<typeof of>, after: number) {
    for (const account of ACCOUNTS) {
      await republish(account);
      expect(await push(account, 'a1', 'a2', 'b1')).to.equal('pushed');
    }
    const claims = [...shards.all.keys()].map((shard) => mailboxes.claim({ shard, limit: 50, perTurn: 3 }));
    const turns = (await Promise.all(claims)).flat();
    expect(turns).to.have.length(ACCOUNTS.length);
    for (const turn of turns) {
      const [first, second] = turn.entries.map(({ number }) => number) as [number, number];
      const moves = shards.indexOf(turn.accountId) !== createShards(namespace, after).indexOf(turn.accountId);
      const again = { number: first, outcome: 'again' as const, dueAt: Date.now() - 1 };
      const back = { number: second, outcome: 'given_back' as const };
      const { state } = turn;
      await mailboxes.settle(turn, { results: moves ? [again] : [again, back], state, more: 0 });
    }
    for (const account of ACCOUNTS) expect(await push(account, 'a3')).to.equal('pushed');
  }
  const wanted = () =>
    ACCOUNTS.flatMap((account) => ['a1', 'a2', 'a3', 'b1'].map((id) => `${account}_${id}`)).sort();
  const ofRecord = (sent: readonly string[], account: string) =>
    sent.filter((id) => id.startsWith(`${account}_a`));

  for (const [before, after] of [
    [1, 4],
    [4, 1],
    [4, 3],
  ] as const)
    it(`loses and repeats no message, and keeps the order of each record (${before} to ${after})`, async () => {
      await fill(of(before), after);
      expect(await move(after)).to.be.above(0);
      expect(await move(after), 'a repetition').to.equal(0);
      const now = of(after);
      for (const account of ACCOUNTS) {
        const [status] = await now.mailboxes.status(account, [`sub_${account}`]);
        expect(status).to.include({ waiting: 4 });
      }
      for (const shard of now.shards.all.keys())
        expect((await now.mailboxes.countDue(shard)).oldestMs, 'due since').to.be.below(60_000);
      const sent = await now.deliver();
      expect([...sent].sort()).to.deep.equal(wanted());
      for (const account of ACCOUNTS)
        expect(ofRecord(sent, account)).to.deep.equal(['a1', 'a2', 'a3'].map((id) => `${account}_${id}`));
      for (let shard = after; shard < before; shard++)
        expect(await redis.keys(`{${namespace}:${shard}}:mailbox*`)).to.deep.equal([]);
    });

  it('goes on where it was interrupted', async () => {
    await fill(of(1), 4);
    let holds = 0;
    const dying = {
      redis,
      namespace,
      accountOf: (id: string) => id,
      hold: (async <T>(work: () => Promise<T>) => {
        holds += 1;
        if (holds === 2) throw new Error('killed');
        return work();
      }) as never,
    };
    const died = await moveAccounts(dying, 4).catch((error: Error) => error.message);
    expect(died).to.equal('killed');
    await move(4);
    expect((await of(4).deliver()).sort()).to.deep.equal(wanted());
  });

  it('a process that missed the move pushes nothing into the old shard, and the new one takes all', async () => {
    const old = of(1);
    await fill(old, 4);
    await move(4);
    const now = of(4);
    const account = ACCOUNTS.find((id) => now.shards.indexOf(id) !== 0) as string;
    expect(await old.push(account, 'a4')).to.equal('fenced');
    expect(await now.push(account, 'a4')).to.equal('absent');
    await now.republish(account);
    expect(await now.push(account, 'a4')).to.equal('pushed');
    expect(ofRecord(await now.deliver(), account)).to.have.length(4);
    // The second move goes back.
    await move(1);
    await old.republish(account, 2);
    expect(await old.push(account, 'a5')).to.equal('pushed');
    expect(await old.deliver()).to.deep.equal([`${account}_a5`]);
  });
});
