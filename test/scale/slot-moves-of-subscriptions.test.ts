import { createSubscriptionDirectory } from '@sluice/outbound/directory/subscription-directory';
import { createAccountLog } from '@sluice/outbound/log/account-log';
import { createLogReader } from '@sluice/outbound/log/log-reader';
import { createCursorTurns } from '@sluice/outbound/log/turns';
import type { Turn, Turns } from '@sluice/outbound/queue/turn';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createShards, type Shards } from '@sluice/redis/shards/shards';
import { connectStore, type Store } from '@sluice/store/connect';
import { expect } from 'chai';
import type { Cluster, Redis } from 'ioredis';
import { subscription } from '../outbound/directory/support/use-directory.ts';
import { change, changeIds, endAttempts } from '../outbound/log/support/use-cursors.ts';
import { useTestMongo } from '../support/mongo-server.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';
import { useRedisCluster } from './support/redis-cluster.ts';
import { beginSlotMove } from './support/slot-move.ts';

/** A script finds only some keys of a slot that moves, and can make no other key. */
describe('moving the slot of a shard with messages that wait for subscriptions', function () {
  this.timeout(240_000);
  const cluster = useRedisCluster();
  const mongo = useTestMongo('slot');
  let redis: Redis;
  let store: Store;
  let shards: Shards;
  let turns: Turns;
  let account_id: string;
  let unpublished: boolean;
  before(async () => {
    redis = connectRedis({ url: cluster.url, name: 'test', role: 'worker', logger: silentLogger() });
    store = connectStore({ url: mongo.url, namespace: 'unused' });
    await store.opened();
  });
  after(async () => {
    redis?.disconnect();
    await store?.close();
  });
  beforeEach(async () => {
    shards = createShards(uniqueNamespace(), 1);
    account_id = uniqueNamespace('acc');
    unpublished = false;
    turns = createCursorTurns({
      ...{ redis, shards, reader: createLogReader(store), now: Date.now },
      ...{ cursors: store.webhookCursors, messages: store.webhookMessages, requests: store.webhookRequests },
      onUnpublished: () => {
        unpublished = true;
      },
      onError: (error) => {
        throw error;
      },
    });
    await publish();
    await append('c1');
  });

  const publish = async () => {
    const put = [subscription({ account_id, subscription_id: `sub_${account_id}` })];
    const lastNumber = await store.outboundChanges.lastNumber(account_id);
    const directory = createSubscriptionDirectory({ redis, shards });
    await directory.republish(account_id, async () => ({ put, lastNumber }));
  };

  async function append(id: string): Promise<void> {
    const log = createAccountLog({ redis, shards });
    const registered = await log.register(account_id, 1);
    if (registered.status !== 'open') throw new Error(registered.status);
    const { batch, version } = registered;
    const row = change(`${account_id}_${id}`, { account_id, number: batch.first });
    await store.outboundChanges.appendChanges([row]);
    expect(await log.confirm(account_id, version, [batch], [])).to.deep.equal({ status: 'confirmed' });
  }
  const claim = () => turns.claim({ shard: 0, limit: 10, perTurn: 10 });
  const named = (...ids: string[]) => [ids.map((id) => `${account_id}_${id}`)];

  async function begin(): Promise<Turn> {
    const [turn] = await claim();
    if (turn === undefined) throw new Error('nothing was claimed');
    return turn;
  }

  /** Asks for a retry at once. */
  async function fail(turn: Turn): Promise<void> {
    const failed = Object.fromEntries(turn.entries.map(({ changeId }) => [changeId, 0]));
    const settled = await endAttempts(turns, store, { turn, entries: turn.entries, failed });
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
    // The server has another run, so a dispatcher publishes the subscriptions that it finds there.
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
    ['after the list of cursors has moved alone', () => [shards.first.cursors]],
  ] as const)
    it(`loses no message that is due for a retry ${name}`, async () => {
      await fail(await begin());
      const claimed = await duringMove(moved(), () => claim().catch(() => []));
      expect(claimed.map(changeIds)).to.deep.equal(named('c1'));
      const [turn] = claimed as [Turn];
      await endAttempts(turns, store, { turn, entries: turn.entries });
      await append('c2');
      expect((await claim()).map(changeIds)).to.deep.equal(named('c2'));
    });

  it('loses no message whose attempt ends during the move', async () => {
    const turn = await begin();
    const claimed = await duringMove([], () => fail(turn));
    expect(claimed.map(changeIds)).to.deep.equal(named('c1'));
  });
});
