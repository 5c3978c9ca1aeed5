import { once } from 'node:events';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { hashSlot } from '@sluice/redis/shards/shard-connection';
import { expect } from 'chai';
import type { Cluster } from 'ioredis';
import { type Load, startLoad } from '../faults/support/load.ts';
import { expectWhole, verdictOn } from '../faults/support/whole.ts';
import type { TestSource } from '../support/ingress.ts';
import { usePipeline } from '../support/pipeline.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';
import { useRedisCluster } from './support/redis-cluster.ts';
import { beginSlotMove } from './support/slot-move.ts';
import { sourcesOfAllShards } from './support/sources.ts';

const SHARDS = 2;
const REQUESTS = 60;

/** Moves keys one by one, as `redis-cli --cluster reshard` does. Meanwhile some are here and some there. */
describe('moving the slot of a shard to another master of the Cluster under load', function () {
  this.timeout(240_000);
  const cluster = useRedisCluster();
  const env = { QUEUE_SHARDS: String(SHARDS), REDIS_WAIT_REPLICAS: '1' };
  const pipeline = usePipeline(() => ({ workers: 2, redisUrl: cluster.url, env }));
  let sources: TestSource[];
  before(async () => {
    sources = await sourcesOfAllShards(pipeline, SHARDS);
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
    const move = await beginSlotMove(cluster, tag);
    await between();
    await move.moveKeys();
    await between();
    await move.end();
  }
});
