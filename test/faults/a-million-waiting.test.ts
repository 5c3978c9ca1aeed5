import { HOUR_MS } from '@sluice/contract/time/durations';
import { createMailboxes, type Mailboxes } from '@sluice/outbound/queue/mailboxes';
import { createSubscriptionDirectory } from '@sluice/outbound/queue/subscription-directory';
import { INITIAL_STATE } from '@sluice/outbound/queue/turn';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { claimLoaded } from '../outbound/queue/support/claim-loaded.ts';
import { ACCOUNT, change, subscription } from '../outbound/queue/support/use-mailboxes.ts';
import { useStore } from '../store/support.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { useRedis } from '../support/redis-server.ts';
import { sized } from '../support/size.ts';
import { expectPromised } from './support/outage.ts';
import { report } from './support/report.ts';

const RECEIVERS = sized({ short: 5, long: 100 });
/** More than a mailbox keeps in Redis while it is probed. */
const MESSAGES_EACH = sized({ short: 2_000, long: 10_000 });
const MOST_BYTES = 400 * 1024 * 1024;

describe('a million messages wait for a hundred dead receivers', function () {
  this.timeout(sized({ short: 120_000, long: 1_800_000 }));
  const server = useRedis();
  const redis = useRedisClient(() => server.url);
  const used = useStore();
  let mailboxes: Mailboxes;
  const ids = Array.from({ length: RECEIVERS }, (_, n) => `sub_${n}`);
  const keyspace = createShards('million', 1).first;

  before(() => {
    mailboxes = open();
  });

  /** Opens the mailboxes as a process that starts does. */
  const open = () =>
    createMailboxes({ redis, shards: createShards('million', 1), overflowStore: used.store.webhookOverflow });
  const usedMemory = async () => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);

  async function push(from: number, count: number, version: string) {
    const changes = Array.from({ length: count }, (_, n) => change(`c${from + n}`, { to: ids }));
    expect(await mailboxes.push(ACCOUNT, version, changes)).to.deep.equal({ status: 'pushed' });
    // The publisher does so once they are cleared from their records.
    const told = changes.map(({ changeId }) => ({ changeId, to: ids }));
    await mailboxes.forget(ACCOUNT, told);
  }

  it('keeps Redis under 400 MiB, goes on within 5 s in a new process, and sends what waited in order', async () => {
    const directory = createSubscriptionDirectory({ redis, shards: createShards('million', 1) });
    await directory.republish(ACCOUNT, async () => ({
      put: ids.map((subscription_id) => subscription({ subscription_id })),
      wantsEvents: false,
    }));
    const list = await directory.version(ACCOUNT);
    if (list.status !== 'version') throw new Error(list.status);
    await push(0, 1, list.version);
    const state = { ...INITIAL_STATE, probing: true, notBefore: Date.now() + HOUR_MS, lastProbed: 'rec_c0' };
    for (const turn of await mailboxes.claim({ shard: 0, limit: RECEIVERS, perTurn: 1 })) {
      const again = { number: 1, outcome: 'again' as const, dueAt: Date.now() + HOUR_MS };
      await mailboxes.settle(turn, { results: [again], state, more: 0 });
    }
    const before = await usedMemory();
    for (let from = 1; from < MESSAGES_EACH; from += 50)
      await push(from, Math.min(50, MESSAGES_EACH - from), list.version);
    const grown = (await usedMemory()) - before;
    const waiting = (await mailboxes.status(ACCOUNT, ids)).reduce((sum, one) => sum + one.waiting, 0);
    expect(waiting).to.equal(RECEIVERS * MESSAGES_EACH);
    expect(grown).to.be.below(MOST_BYTES);
    for (const id of ids) expect(await redis.llen(keyspace.mailboxNew(id))).to.be.at.most(700);

    // The hour is over for one receiver, and another process takes its turn.
    const [id] = ids as [string];
    await redis.hset(keyspace.mailbox(id), {
      not_before: 0,
      state: JSON.stringify(INITIAL_STATE),
      probing: 0,
    });
    await redis.zadd(keyspace.turns, 0, id);
    const began = performance.now();
    const restarted = open();
    const [turn] = await claimLoaded(restarted, { shard: 0, limit: 1, perTurn: 16 });
    if (turn === undefined) throw new Error('nothing is due');
    const firstMs = Math.round(performance.now() - began);
    report(`${(grown / 2 ** 20).toFixed(1)} MiB, ${firstMs} ms`);
    expectPromised(firstMs, 5_000);
    const taken: string[] = [];
    for (let { entries } = turn; entries.length > 0; ) {
      taken.push(...entries.map(({ changeId }) => changeId));
      const results = entries.map(({ number }) => ({ number, outcome: 'done' as const }));
      const settled = await restarted.settle(turn, { results, state: INITIAL_STATE, more: 64 });
      entries = settled.status === 'go_on' ? settled.entries : [];
    }
    // The first one waits for its own retry.
    expect(taken).to.deep.equal(Array.from({ length: MESSAGES_EACH - 1 }, (_, n) => `c${n + 1}`));
  });
});
