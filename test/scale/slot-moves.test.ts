import { once } from 'node:events';
import { connectRedis } from '@sluice/runtime/redis/redis-connection';
import { hashSlot } from '@sluice/shards/hash-slot';
import { expect } from 'chai';
import { type Cluster, Redis } from 'ioredis';
import { type Load, startLoad } from '../faults/support/load.ts';
import { expectWhole, verdictOn } from '../faults/support/whole.ts';
import type { TestSource } from '../support/ingress.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import type { RedisServer } from '../support/redis-server.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';
import { type RedisCluster, startRedisCluster } from './support/redis-cluster.ts';
import { sourcesOfAllShards } from './support/sources.ts';

const SHARDS = 2;
const REQUESTS = 60;

/** Moves keys one by one, as `redis-cli --cluster reshard` does. Meanwhile some are here and some there. */
describe('moving the slot of a shard to another master of the Cluster under load', function () {
  this.timeout(240_000);
  let cluster: RedisCluster;
  let pipeline: Pipeline;
  let sources: TestSource[];
  before(async () => {
    cluster = await startRedisCluster();
    const env = { QUEUE_SHARDS: String(SHARDS), REDIS_WAIT_REPLICAS: '1' };
    pipeline = await startPipeline({ workers: 2, redisUrl: cluster.url, env });
    sources = await sourcesOfAllShards(pipeline, SHARDS);
  });
  after(async () => {
    await pipeline?.stop();
    await cluster?.stop();
  });

  it('causes 503s for this shard only, and loses nothing', async () => {
    const loads = sources.map((source, salt) =>
      startLoad({ urls: pipeline.urls, source, salt, perSecond: 50 }),
    );
    const [moved, other] = loads as [Load, Load];
    await moved.sent(REQUESTS);
    await moveSlot(`${pipeline.namespace}:0`, () => moved.sent(REQUESTS));
    const movedAt = performance.now();
    const taken = () => moved.tries.some(({ sentAt, answer }) => sentAt > movedAt && answer?.status === 200);
    await until(taken, { what: 'requests of the shard are accepted again' });
    await moved.sent(REQUESTS);
    const [tries, others] = [await moved.stop(), await other.stop()];
    const statuses = new Set(tries.map(({ answer }) => answer?.status));
    expect([...statuses]).to.have.members([200, 503]);
    expect([...new Set(others.map(({ answer }) => answer?.status))]).to.deep.equal([200]);
    expectWhole(await verdictOn(pipeline, sources[0] as TestSource, tries));
    expectWhole(await verdictOn(pipeline, sources[1] as TestSource, others));
    const { log = [] } = pipeline.ingresses[0] ?? {};
    expect(log.filter(({ event }) => event === 'gate.refused')).to.deep.equal([]);
  });

  it('does not change the owner of another slot in a connection that gets MOVED, even before the next refresh', async () => {
    const tag = `${pipeline.namespace}:elsewhere`;
    const redis = connectRedis({ url: cluster.url, name: 'test', role: 'request', logger: silentLogger() });
    try {
      await once(redis, 'ready');
      const asked = redis as unknown as Cluster;
      asked.refreshSlotsCache = () => undefined;
      const others = () => asked.slots.map(([owner]) => owner).toSpliced(hashSlot(tag), 1);
      const before = others();
      await moveSlot(tag, async () => undefined);
      expect(await redis.set(`{${tag}}:key`, 'set')).to.equal('OK');
      const now = await cluster.masterOf(tag);
      expect(asked.slots[hashSlot(tag)]?.[0], 'the slot itself').to.equal(`127.0.0.1:${now.port}`);
      expect(others()).to.deep.equal(before);
    } finally {
      redis.disconnect();
    }
  });

  /** `between` runs twice: before any key has moved, and after all have. */
  async function moveSlot(tag: string, between: () => Promise<void>): Promise<void> {
    const slot = hashSlot(tag);
    const from = await cluster.masterOf(tag);
    const to = await anotherMaster(from);
    const [source, target] = [new Redis(from.url), new Redis(to.url)];
    const [sourceId, targetId] = [await source.cluster('MYID'), await target.cluster('MYID')];
    await target.cluster('SETSLOT', slot, 'IMPORTING', sourceId as string);
    await source.cluster('SETSLOT', slot, 'MIGRATING', targetId as string);
    await between();
    await moveKeys(source, to, slot);
    await between();
    for (const redis of [target, source]) await redis.cluster('SETSLOT', slot, 'NODE', targetId as string);
    for (const redis of [source, target]) redis.disconnect();
  }

  async function anotherMaster(than: RedisServer): Promise<RedisServer> {
    for (let i = 0; ; i++) {
      const master = await cluster.masterOf(`any:${i}`);
      if (master !== than) return master;
    }
  }

  async function moveKeys(source: Redis, { port }: RedisServer, slot: number): Promise<void> {
    for (;;) {
      const keys = await source.cluster('GETKEYSINSLOT', slot, 3);
      if (keys.length === 0) return;
      await source.call('MIGRATE', '127.0.0.1', port, '', 0, 5000, 'KEYS', ...keys);
    }
  }
});
