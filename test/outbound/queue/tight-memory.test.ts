import { createMailboxes, type Mailboxes } from '@sluice/outbound/queue/mailboxes';
import { OVERFLOW_LIMITS, type OverflowLimits } from '@sluice/outbound/queue/overflow';
import { createSubscriptionDirectory } from '@sluice/outbound/queue/subscription-directory';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { claimLoaded } from './support/claim-loaded.ts';
import { overflowInMemory } from './support/overflow-in-memory.ts';
import { ACCOUNT, change, changeIds, done, subscription } from './support/use-mailboxes.ts';

const CHANGES = 500;

describe('mailboxes in a Redis that is filling up', function () {
  this.timeout(120_000);
  let server: RedisServer;
  let redis: Redis;
  const shards = createShards('tight', 1);
  const { mailboxNew, mailboxTail, change: textOf } = shards.first;

  before(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });
  after(async () => {
    redis?.disconnect();
    await server?.stop();
  });
  beforeEach(async () => {
    await redis.config('SET', 'maxmemory', 0);
    await redis.flushall();
  });

  /** Redis uses this share of its maxmemory. */
  async function use(share: number): Promise<void> {
    const used = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
    await redis.config('SET', 'maxmemory', Math.round(used / share));
    // The last look at the memory is over.
    await redis.hdel(shards.first.subscriptions(ACCOUNT), 'tight_until');
  }

  async function push(mailboxes: Mailboxes): Promise<void> {
    const list = await createSubscriptionDirectory({ redis, shards }).version(ACCOUNT);
    if (list.status !== 'version') throw new Error(list.status);
    for (let from = 0; from < CHANGES; from += 10) {
      const changes = Array.from({ length: 10 }, (_, n) => change(`c${from + n}`));
      await mailboxes.push(ACCOUNT, list.version, changes);
    }
  }
  const inRedis = async () =>
    (await redis.llen(mailboxNew('sub_1'))) + (await redis.llen(mailboxTail('sub_1')));

  async function filled(share: number, overflowLimits?: OverflowLimits) {
    const { store, rows } = overflowInMemory();
    const mailboxes = createMailboxes({ redis, shards, overflowStore: store, overflowLimits });
    await createSubscriptionDirectory({ redis, shards }).republish(ACCOUNT, async () => ({
      put: [subscription()],
      wantsEvents: false,
    }));
    await use(share);
    await push(mailboxes);
    return { mailboxes, rows };
  }

  it('go over into MongoDB with few messages once it uses over a quarter of maxmemory', async () => {
    const { mailboxes, rows } = await filled(0.3);
    expect(await inRedis()).to.be.at.most(120);
    expect(rows().length + (await inRedis())).to.equal(CHANGES);
    expect(await redis.exists(textOf('c0')), 'a text in Redis').to.equal(0);
    const taken: string[] = [];
    for (;;) {
      const [turn] = await claimLoaded(mailboxes, { shard: 0, limit: 1, perTurn: 64 });
      if (turn === undefined) break;
      taken.push(...changeIds(turn));
      await mailboxes.settle(turn, { results: done(turn), state: turn.state, more: 0 });
    }
    expect(taken).to.deep.equal(Array.from({ length: CHANGES }, (_, n) => `c${n}`));
  });

  it('attempt and acknowledge what waits while it is full', async () => {
    const { mailboxes } = await filled(0.1);
    await redis.config('SET', 'maxmemory', 1_000_000);
    expect(await redis.set('other', 'x'.repeat(1000)).catch(({ message }) => message)).to.match(/OOM/);
    const [turn] = await mailboxes.claim({ shard: 0, limit: 1, perTurn: 2 });
    if (turn === undefined) throw new Error('nothing is due');
    expect(await mailboxes.renew(turn)).to.include({ status: 'leased' });
    const dueAt = Date.now() + 3_600_000;
    const results = turn.entries.map(({ number }) => ({ number, outcome: 'again' as const, dueAt }));
    const next = await mailboxes.settle(turn, { results, state: turn.state, more: 2 });
    expect(next.status === 'go_on' ? changeIds(next) : []).to.deep.equal(['c2', 'c3']);
  });

  it('come back from MongoDB a few at a time while it is full', async () => {
    const { mailboxes } = await filled(0.3, { ...OVERFLOW_LIMITS, movedAtOnce: 100 });
    await redis.del(mailboxNew('sub_1'));
    await redis.config('SET', 'maxmemory', 1_000_000);
    const loaded = [];
    for (let turns = 0; turns < 3; turns++) {
      const [turn] = await claimLoaded(mailboxes, { shard: 0, limit: 1, perTurn: 64 });
      if (turn === undefined) throw new Error('nothing is due');
      loaded.push(turn.entries.length);
      await mailboxes.settle(turn, { results: done(turn), state: turn.state, more: 0 });
    }
    expect(loaded).to.deep.equal([20, 20, 20]);
  });

  it('discard what waits in MongoDB while it is full, and keep only a part of it in Redis at a time', async () => {
    const { mailboxes, rows } = await filled(0.3, { ...OVERFLOW_LIMITS, movedAtOnce: 100 });
    expect(rows().length).to.be.above(300);
    await redis.config('SET', 'maxmemory', 1_000_000);
    const parts: number[] = [];
    const log = async () => {
      const { entries, forget } = await mailboxes.nextDiscarded(ACCOUNT, 'sub_1', CHANGES);
      await forget();
      parts.push(entries.length);
    };
    expect(await mailboxes.discard(ACCOUNT, 'sub_1', log)).to.equal(CHANGES);
    await log();
    expect(Math.max(...parts)).to.be.at.most(120);
    expect(parts.reduce((sum, part) => sum + part)).to.equal(CHANGES);
  });

  it('move what is too much for a probed receiver to MongoDB while it is full', async () => {
    const { mailboxes, rows } = await filled(0.1, { ...OVERFLOW_LIMITS, probed: 100 });
    const turn = (await mailboxes.claim({ shard: 0, limit: 1, perTurn: 1 }))[0];
    if (turn === undefined) throw new Error('nothing is due');
    await redis.config('SET', 'maxmemory', 1);
    const results = turn.entries.map(({ number }) => ({ number, outcome: 'given_back' as const }));
    const state = { ...turn.state, probing: true, notBefore: Date.now() + 3_600_000 };
    await mailboxes.settle(turn, { results, state, more: 0 });
    await redis.config('SET', 'maxmemory', 0);
    expect(rows().length).to.be.above(0);
    expect(rows().length + (await inRedis())).to.equal(CHANGES - 1);
  });

  /** Pushes 50 changes. Returns how many messages are in MongoDB more than before. */
  async function moved({ mailboxes, rows }: Awaited<ReturnType<typeof filled>>): Promise<number> {
    const before = rows().length;
    const list = await createSubscriptionDirectory({ redis, shards }).version(ACCOUNT);
    if (list.status !== 'version') throw new Error(list.status);
    const more = Array.from({ length: 50 }, (_, n) => change(`more${n}`));
    await mailboxes.push(ACCOUNT, list.version, more);
    return rows().length - before;
  }

  it('look at its memory again within a second or so', async () => {
    const all = await filled(0.1);
    await use(0.3);
    expect(await moved(all)).to.be.above(0);
  });
});
