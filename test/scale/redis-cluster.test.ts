import { once } from 'node:events';
import { moveAccounts } from '@sluice/accounts/shards/move-accounts';
import { createHoldWrites } from '@sluice/admission/replica-wait';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createShards, type Shards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { sluice } from '../cli/support.ts';
import { expectFaultless, expectOnlyRefusals, verdictOn } from '../faults/support/whole.ts';
import type { TestSource } from '../support/ingress.ts';
import { randomActions, type Sent, sendAll } from '../support/load.ts';
import { usePipeline } from '../support/pipeline.ts';
import { post, postTo } from '../support/post.ts';
import { runScript } from '../support/run-script.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { sized } from '../support/size.ts';
import { useRedisCluster } from './support/redis-cluster.ts';
import { sourcesOfAllShards } from './support/sources.ts';

const SHARDS = 4;
/** Of each source. */
const ACTIONS = sized({ short: 60, middle: 200 });

/** After SIGKILL, its groups wait 10 s for another worker. */
const END = sized<NodeJS.Signals>({ short: 'SIGTERM', long: 'SIGKILL' });

/** The guarantees are kept on a Redis Cluster of three masters with one replica each, with accounts in four shards. */
describe('Redis Cluster:', function () {
  this.timeout(240_000);
  const cluster = useRedisCluster();
  const env = { QUEUE_SHARDS: String(SHARDS), REDIS_WAIT_REPLICAS: '1' };
  const pipeline = usePipeline(() => ({ ingress: 2, workers: 2, redisUrl: cluster.url, env }));
  let sources: TestSource[];
  before(async () => {
    sources = await sourcesOfAllShards(pipeline, SHARDS);
  });
  const send = (source: TestSource, body: object) => postTo(pipeline.urls[0] as string, source, body);

  it('the shards are spread over all three masters', async () => {
    const tags = Array.from({ length: SHARDS }, (_, shard) => `${pipeline.namespace}:${shard}`);
    const masters = await Promise.all(tags.map((tag) => cluster.masterOf(tag)));
    expect(new Set(masters).size).to.equal(3);
  });

  it('a connection that is closed during a slot refresh does not keep the process alive', async () => {
    const script = runScript(`
      import { connectRedis } from '@sluice/redis/connection/redis-connection';
      import { createLogger } from '@sluice/runtime/telemetry/logger';
      const logger = createLogger({ service: 'test', level: 'silent' });
      const redis = connectRedis({ url: '${cluster.url}', name: 'test', role: 'worker', logger });
      await new Promise((resolve) => redis.once('ready', resolve));
      while (!redis.isRefreshing) await new Promise(setImmediate);
      redis.disconnect();
      console.log('closed');
    `);
    try {
      await script.line(/^closed$/);
      expect(await script.ended).to.equal(0);
    } finally {
      script.child.kill('SIGKILL');
    }
  });

  it('`sluice shards set` removes shards of all masters', async () => {
    const env = { ...pipeline.env, SLUICE_NAMESPACE: uniqueNamespace() };
    for (const count of ['8', '1']) {
      const { code, stderr } = await sluice(['shards', 'set', count], { env });
      expect(code, stderr).to.equal(0);
    }
  });

  it('guarantees 1, 2 and 5: accepted, logged once, and applied in order, even if a worker ends', async () => {
    let killed: Promise<void> | undefined;
    const runs = sources.map((source, seed) =>
      sendAll({
        urls: pipeline.urls,
        source,
        bodies: randomActions({ count: ACTIONS, events: 8, seed }),
        concurrency: 8,
        onAnswer: (count) => {
          if (count === ACTIONS / 2) killed ??= pipeline.workers[0]?.kill(END);
        },
      }),
    );
    const sent = await Promise.all(runs);
    await killed;
    pipeline.addWorker();
    for (const [index, source] of sources.entries()) {
      const own = sent[index] as Sent[];
      // On a loaded machine a replica's confirmation may be late. That is a 503, and the outcome is unknown.
      expectOnlyRefusals(own);
      const verdict = await verdictOn(pipeline, source, own);
      expectFaultless(verdict);
      expect(verdict.accepted).to.be.above(0);
    }
  });

  it('guarantee 3: the same request has one effect, on either ingress', async () => {
    const source = await pipeline.addSource();
    const request = signed({ secret: source.secret, body: upsertBody({ title: 'Same' }) });
    const [first, again] = [
      await post(pipeline.urls[0] + source.path, request),
      await post(pipeline.urls[1] + source.path, request),
    ];
    expect([first.body.duplicate, again.body.duplicate]).to.deep.equal([undefined, true]);
    const outcomes = (await pipeline.logged(source, 2)).map(({ outcome }) => outcome);
    expect(outcomes).to.have.members(['created', 'duplicate']);
  });

  it('guarantee 4: a rotated secret and a switched-off source apply to the very next request, in every shard', async () => {
    for (const source of await sourcesOfAllShards(pipeline, SHARDS)) {
      expect((await send(source, upsertBody({ title: 'A' }))).status).to.equal(200);
      const rotated = await pipeline.rotateSecret(source);
      expect((await send(source, upsertBody({ title: 'B' }))).status).to.equal(401);
      expect((await send(rotated, upsertBody({ title: 'B' }))).status).to.equal(200);
      await pipeline.setActive(source, false);
      expect((await send(rotated, upsertBody({ title: 'C' }))).status).to.equal(403);
    }
  });

  it('guarantee 5: rejected requests are logged, and the limit of a plan is exact over an account', async () => {
    const source = await pipeline.addSource({ plan: 'free' });
    const other = await pipeline.addSource({ accountId: source.accountId });
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++)
      statuses.push((await send(i % 2 ? other : source, upsertBody({ title: `${i}` }))).status);
    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 403, 403, 403]);
    expect((await send(source, { action: 'explode' })).status).to.equal(400);
    const rows = [...(await pipeline.logged(source, 5)), ...(await pipeline.logged(other, 4))];
    const codes = rows.flatMap(({ code }) => code ?? []);
    expect(codes.sort()).to.deep.equal([...Array(3).fill('plan_limit_reached'), 'validation_failed']);
  });

  it('accounts move between servers when the number of shards changes', async () => {
    const redis = connectRedis({ url: cluster.url, name: 'test', role: 'worker', logger: silentLogger() });
    await once(redis, 'ready');
    const namespace = uniqueNamespace('moved');
    const [one, four] = [createShards(namespace, 1), createShards(namespace, SHARDS)];
    const ids = Array.from({ length: 20 }, (_, i) => `src_${i}`);
    const keysIn = ({ of }: Shards, id: string) => [of(id).source(id), of(id).planUse(id, '2026-11')];
    const remembered = (id: string) => `0123456789abcdef${id}`;
    for (const id of ids) {
      for (const key of keysIn(one, id)) await redis.set(key, id, 'EX', 600);
      await redis.hset(one.of(id).seen('1'), remembered(id), id);
      await redis.expire(one.of(id).seen('1'), 600);
    }
    const expectRemembered = async (shards: Shards) => {
      for (const id of ids) {
        const seen = shards.of(id).seen('1');
        expect(await redis.hget(seen, remembered(id))).to.equal(id);
        expect(await redis.ttl(seen)).to.be.within(1, 600);
      }
      const kept = await Promise.all(shards.all.map((shard) => redis.hlen(shard.seen('1'))));
      expect(kept.reduce((sum, length) => sum + length)).to.equal(ids.length);
    };
    const move = (count: number) =>
      moveAccounts({ redis, namespace, accountOf: (id) => id, hold: createHoldWrites([]) }, count);
    expect(await move(SHARDS)).to.equal(keysNotIn(four, 0) + 1);
    await expectRemembered(four);
    for (const id of ids)
      for (const key of keysIn(four, id)) {
        expect(await redis.get(key)).to.equal(id);
        expect(await redis.ttl(key)).to.be.within(1, 600);
      }
    await move(1);
    for (const id of ids) expect(await redis.mget(...keysIn(one, id))).to.deep.equal([id, id]);
    await expectRemembered(one);
    redis.disconnect();

    function keysNotIn(shards: Shards, shard: number): number {
      return ids.filter((id) => shards.indexOf(id) !== shard).length * 2;
    }
  });
});
