import { expect } from 'chai';
import type { Redis } from 'ioredis';
import type { TestSource } from '../support/ingress.ts';
import { isWarning } from '../support/is-warning.ts';
import { usePipeline } from '../support/pipeline.ts';
import { postUpsert } from '../support/post.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { startRedis } from '../support/redis-server.ts';
import { startService } from '../support/service-process.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { startLoad } from './support/load.ts';
import { acceptedAgain } from './support/outage.ts';
import { report } from './support/report.ts';
import { expectOnlyRefusals, expectWhole, inWords, verdictOn } from './support/whole.ts';

const TIMES = sized({ short: 1, middle: 2, long: 20 });
const MOST_WARNINGS = 20;

describe('a Redis that is full', function () {
  this.timeout(sized({ short: 240_000, long: 400_000 }));
  // The ingress rejects as late as possible, so that the last writes meet a full Redis.
  const env = { REDIS_MEMORY_LIMIT_PERCENT: '100' };
  const pipeline = usePipeline({ workers: 2, env });
  const redis = useRedisClient(() => pipeline.redis.url);

  it('leads to 503, leaves nothing half-written, and accepts once there is room', async () => {
    const source = await pipeline.addSource();
    const load = startLoad({ urls: pipeline.urls, source });
    for (let i = 0; i < TIMES; i++) {
      await load.sent(50);
      const [full, before] = [load.tries.length, await outOfMemory(redis)];
      const isRejected = () => load.tries.slice(full).some(({ answer }) => answer?.status === 503);
      const isFull = async () => {
        // Repeats, because workers free memory by removing jobs from Redis.
        await redis.config('SET', 'maxmemory', await usedMemory(redis));
        return isRejected() && (await outOfMemory(redis)) > before;
      };
      await until(isFull, { what: 'Redis rejects a write, and the ingress a request' });
      await load.sent(50);
      await redis.config('SET', 'maxmemory', 0);
      await acceptedAgain(load);
    }
    const refusedWrites = await outOfMemory(redis);
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    const warnings = Math.max(...pipeline.workers.map(({ log }) => log.filter(isWarning).length));
    report(`${refusedWrites} writes rejected by Redis, ${warnings} warnings; ${inWords(verdict)}`, TIMES);
    expectWhole(verdict);
    expectOnlyRefusals(tries);
    expect(warnings, 'no hot loop').to.be.below(MOST_WARNINGS * TIMES);
    expect((await pipeline.queued()).failed).to.equal(0);
  });
});

describe('a Redis that a backlog fills', function () {
  this.timeout(sized({ short: 240_000, long: 400_000 }));
  /** Large enough that the data of half a second, between two checks, is less than a third of it. */
  const LIMIT = sized({ short: 12, long: 64 }) * 2 ** 20;
  /** The long form holds groups up for longer than a lock lasts, so locks are renewed in a nearly full Redis. */
  const HELD_UP_REQUESTS = sized({ short: 50, long: 2000 });
  const TEXT = 'x'.repeat(9_000);
  const AT_A_TIME = sized({ short: 2, long: 8 });
  const pipeline = usePipeline({
    workers: 2,
    redis: { aof: true, args: ['--maxmemory', `${LIMIT}`] },
    // Compressed groups would need many more requests.
    env: { PACK_FROM_GROUPS: '0' },
  });
  const redis = useRedisClient(() => pipeline.redis.url);

  /** Sends large actions until the ingress reports that Redis is nearly full. Resolves to those that it accepted. */
  async function fillByBacklog(source: TestSource): Promise<string[]> {
    const accepted: string[] = [];
    while (!saysNearlyFull()) {
      const send = () => postUpsert(pipeline.urls[0] as string, source, { description: TEXT });
      for (const { status, body } of await Promise.all(Array.from({ length: AT_A_TIME }, send)))
        if (status === 200) accepted.push(body.delivery_id);
    }
    return accepted;
  }

  const saysNearlyFull = () =>
    pipeline.ingresses.some(({ log }) => log.some(({ closed }) => closed === 'redis_nearly_full'));

  it('leads to 503 before it is full: workers can still write, and the backlog drains', async () => {
    const { mongo } = pipeline;
    // A test run on another engine must not stop that engine.
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    const [source, large] = [await pipeline.addSource(), await pipeline.addSource()];
    const load = startLoad({ urls: pipeline.urls, source });
    await load.sent(50);
    await mongo.kill();
    const accepted = await fillByBacklog(large);
    const used = await usedMemory(redis);
    await load.sent(HELD_UP_REQUESTS);
    await mongo.restart();
    await acceptedAgain(load);
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    const rows = new Map((await pipeline.deliveries(large)).map((row) => [row.delivery_id, row.outcome]));
    const lost = accepted.filter((id) => rows.get(id) !== 'created').length;
    const refusedWrites = await outOfMemory(redis);
    report(
      `rejected at ${Math.round((100 * used) / LIMIT)} % of maxmemory, ${refusedWrites} writes rejected by Redis; ` +
        `${accepted.length} large ones accepted, lost ${lost}; ${inWords(verdict)}`,
    );
    expect(refusedWrites).to.equal(0);
    expect(used).to.be.below(LIMIT);
    expect(verdict.refused, 'it refused').to.be.above(0);
    expect(lost).to.equal(0);
    expectWhole(verdict);
    expectOnlyRefusals(tries);
    expect(await pipeline.queued()).to.include({ waiting: 0, failed: 0 });
  });
});

async function usedMemory(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
}

/** The number of writes that Redis has rejected for lack of memory since it started, of all clients. */
async function outOfMemory(redis: Redis): Promise<number> {
  const stats = await redis.info('errorstats');
  return Number(/^errorstat_OOM:count=(\d+)/m.exec(stats)?.[1] ?? 0);
}

describe('a Redis that evicts', () => {
  it('stops the ingress at start, with the command that fixes it', async () => {
    const redis = await startRedis({ args: ['--maxmemory-policy', 'allkeys-lru'] });
    const service = startService('ingress', {
      REDIS_URL: redis.url,
      MONGO_URL: 'mongodb://127.0.0.1:1',
      SLUICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      INGRESS_PORT: '0',
      INGRESS_ADMIN_PORT: '0',
    });
    try {
      await until(() => service.ended() !== undefined, { what: 'the ingress ends', withinMs: 90_000 });
      const told = service.log.map(({ msg }) => String(msg)).join('\n');
      report(`exit code ${service.ended()}`);
      expect(service.ended()).to.equal(78);
      expect(told).to.contain('CONFIG SET maxmemory-policy noeviction');
    } finally {
      await service.kill('SIGKILL');
      await redis.stop();
    }
  });
});
