import { createMailboxes, type Mailboxes } from '@sluice/outbound/queue/mailboxes';
import {
  createSubscriptionDirectory,
  type SubscriptionDirectory,
} from '@sluice/outbound/queue/subscription-directory';
import type { Turn } from '@sluice/outbound/queue/turn';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createShards, type Shards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import type { Cluster, Redis } from 'ioredis';
import { ACCOUNT, change, changeIds, done, subscription } from '../outbound/queue/support/use-mailboxes.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';
import { useRedisCluster } from './support/redis-cluster.ts';
import { beginSlotMove } from './support/slot-move.ts';

/** A script finds only some keys of a slot that moves, and can make no other key. */
describe('moving the slot of a shard with waiting messages', function () {
  this.timeout(240_000);
  const cluster = useRedisCluster();
  let redis: Redis;
  let shards: Shards;
  let mailboxes: Mailboxes;
  let directory: SubscriptionDirectory;
  let unpublished: boolean;
  before(async () => {
    redis = connectRedis({ url: cluster.url, name: 'test', role: 'worker', logger: silentLogger() });
  });
  after(() => redis?.disconnect());
  beforeEach(async () => {
    shards = createShards(uniqueNamespace(), 1);
    unpublished = false;
    mailboxes = createMailboxes({ redis, shards, onUnpublished: () => (unpublished = true) });
    directory = createSubscriptionDirectory({ redis, shards });
    await publish();
    await push('c1');
  });

  const publish = () =>
    directory.republish(ACCOUNT, async () => ({ put: [subscription()], wantsEvents: false }));

  async function push(id: string): Promise<void> {
    const list = await directory.version(ACCOUNT);
    if (list.status !== 'version') throw new Error(list.status);
    expect(await mailboxes.push(ACCOUNT, list.version, [change(id)])).to.deep.equal({ status: 'pushed' });
  }
  const claim = () => mailboxes.claim({ shard: 0, limit: 10, perTurn: 10 });

  async function begin(): Promise<Turn> {
    const [turn] = await claim();
    if (turn === undefined) throw new Error('nothing was claimed');
    return turn;
  }

  /** Asks for a retry at once. */
  async function fail(turn: Turn): Promise<void> {
    const results = turn.entries.map(({ number }) => ({ number, outcome: 'again' as const, dueAt: 0 }));
    const settled = await mailboxes.settle(turn, { results, state: turn.state, more: 0 });
    expect(settled.status).to.equal('ended');
  }

  /** Does something while these keys have moved, and ends the move once a server has run its script. */
  async function duringMove(moved: readonly string[], act: () => Promise<unknown>): Promise<Turn[]> {
    const move = await beginSlotMove(cluster, shards.first.tag);
    if (moved.length > 0) await move.moveKeys(...moved);
    const before = await scripts();
    const acting = act();
    await until(async () => (await scripts()) > before);
    await move.moveKeys();
    await move.end();
    await acting;
    // The server has another run, so a dispatcher publishes the mailboxes that it finds there.
    await claim();
    if (unpublished) await publish();
    return claim();
  }

  /** How many scripts the servers have run. */
  async function scripts(): Promise<number> {
    const stats = (redis as unknown as Cluster).nodes('master').map((node) => node.info('commandstats'));
    const counts = (await Promise.all(stats)).join('').matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  for (const [name, moved] of [
    ['before any key has moved', () => []],
    ['after the list of turns has moved alone', () => [shards.first.turns]],
  ] as const)
    it(`loses no message that is due for a retry ${name}`, async () => {
      await fail(await begin());
      const turns = await duringMove(moved(), () => claim().catch(() => []));
      expect(turns.map(changeIds)).to.deep.equal([['c1']]);
      const [turn] = turns as [Turn];
      await mailboxes.settle(turn, { results: done(turn), state: turn.state, more: 0 });
      await push('c2');
      expect((await claim()).map(changeIds)).to.deep.equal([['c2']]);
    });

  it('loses no message whose attempt ends during the move', async () => {
    const turn = await begin();
    const turns = await duringMove([], () => fail(turn));
    expect(turns.map(changeIds)).to.deep.equal([['c1']]);
  });
});
