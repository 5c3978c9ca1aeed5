import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { TestSource } from '../support/ingress.ts';
import { isWarning } from '../support/is-warning.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { postUpsert } from '../support/post.ts';
import { startRedis } from '../support/redis-server.ts';
import { startService } from '../support/service-process.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { type Load, startLoad } from './support/load.ts';
import { report } from './support/report.ts';
import { expectOnlyRefusals, expectWhole, inWords, verdictOn } from './support/whole.ts';

const TIMES = sized({ short: 1, middle: 2, long: 20 });
const MAX_MEMORY = 16 * 2 ** 20;
const MOST_WARNINGS = 20;

describe('faults: a full Redis', function () {
  this.timeout(sized({ short: 240_000, long: 400_000 }));
  let pipeline: Pipeline;
  let ballast: Redis;
  before(async () => {
    pipeline = await startPipeline({
      workers: 2,
      redis: { aof: true, args: ['--maxmemory', `${MAX_MEMORY}`] },
      // The ingress rejects as late as possible, so that the last writes meet a full Redis.
      env: { REDIS_MEMORY_LIMIT_PERCENT: '100' },
    });
    ballast = new Redis(pipeline.redis.url);
  });
  after(async () => {
    ballast?.disconnect();
    await pipeline?.stop();
  });

  /** Another program's data fills Redis completely: twice as much as fits, in pieces. */
  async function fill(): Promise<void> {
    const piece = 'x'.repeat(2 ** 16);
    for (let i = 0; i < (2 * MAX_MEMORY) / piece.length; i++)
      if ((await ballast.set(`ballast:${i}`, piece).catch(() => null)) === null) break;
  }

  it('rejects with 503 while full, leaves nothing half-written, and accepts once there is room', async () => {
    const source = await pipeline.addSource();
    const load = startLoad({ urls: pipeline.urls, source });
    for (let i = 0; i < TIMES; i++) {
      await load.sent(50);
      const full = load.tries.length;
      // Repeats, because workers free memory by removing jobs from Redis.
      await until(
        async () => {
          await fill();
          return load.tries.slice(full).some(({ answer }) => answer?.status === 503);
        },
        { what: 'a request is answered 503', withinMs: 90_000 },
      );
      await load.sent(50);
      await ballast.unlink(await ballast.keys('ballast:*'));
      const accepted = load.tries.length;
      await until(() => load.tries.slice(accepted).some(({ answer }) => answer?.status === 200), {
        what: 'requests are accepted again',
        withinMs: 90_000,
      });
    }
    const refusedWrites = await outOfMemory(ballast);
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    const warnings = Math.max(...pipeline.workers.map(({ log }) => log.filter(isWarning).length));
    report({
      test: 'full Redis',
      done: 'Redis filled to maxmemory by another program, and emptied',
      times: TIMES,
      asked: '503, nothing half-written, the backlog drains, no hot loop',
      seen: `${refusedWrites} writes rejected by Redis, ${warnings} warnings of a worker; ${inWords(verdict)}`,
    });
    expectWhole(verdict);
    expect(refusedWrites, 'it was full').to.be.above(0);
    expect([200, 503]).to.include.members([...new Set(tries.map(({ answer }) => answer?.status as number))]);
    expect(warnings).to.be.below(MOST_WARNINGS * TIMES);
    expect((await pipeline.queued()).failed).to.equal(0);
  });
});

describe('faults: a Redis that a backlog fills', function () {
  this.timeout(sized({ short: 240_000, long: 400_000 }));
  /** Large enough that the data of half a second, between two checks, is less than a third of it. */
  const LIMIT = 64 * 2 ** 20;
  /** The long form holds groups up for longer than a lock lasts, so locks are renewed in a nearly full Redis. */
  const HELD_UP_REQUESTS = sized({ short: 300, long: 2000 });
  const TEXT = 'x'.repeat(9_000);
  const AT_A_TIME = 8;
  let pipeline: Pipeline;
  let redis: Redis;
  before(async () => {
    pipeline = await startPipeline({ workers: 2, redis: { aof: true, args: ['--maxmemory', `${LIMIT}`] } });
    redis = new Redis(pipeline.redis.url);
  });
  after(async () => {
    redis?.disconnect();
    await pipeline?.stop();
  });

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

  async function usedMemory(): Promise<number> {
    return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
  }

  const saysNearlyFull = () =>
    pipeline.ingresses.some(({ log }) => log.some(({ closed }) => closed === 'redis_nearly_full'));

  async function untilAccepted(load: Load): Promise<void> {
    const before = load.tries.length;
    await until(() => load.tries.slice(before).some(({ answer }) => answer?.status === 200), {
      what: 'requests are accepted again',
    });
  }

  it('the ingress rejects before Redis is full: workers can still write, and the backlog drains', async () => {
    const { mongo } = pipeline;
    // A test run on another engine must not stop that engine.
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    const [source, large] = [await pipeline.addSource(), await pipeline.addSource()];
    const load = startLoad({ urls: pipeline.urls, source });
    await load.sent(50);
    await mongo.kill();
    const accepted = await fillByBacklog(large);
    const used = await usedMemory();
    await load.sent(HELD_UP_REQUESTS);
    const waiting = (await pipeline.queued()).waiting;
    await mongo.restart();
    await untilAccepted(load);
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    const rows = new Map((await pipeline.deliveries(large)).map((row) => [row.delivery_id, row.outcome]));
    const lost = accepted.filter((id) => rows.get(id) !== 'created').length;
    const refusedWrites = await outOfMemory(redis);
    report({
      test: 'full Redis',
      done: 'MongoDB stopped until the backlog has filled Redis to the default limit',
      times: 1,
      asked: '503 before it is full, no write of a worker rejected, the backlog drains',
      seen:
        `rejected at ${Math.round((100 * used) / LIMIT)} % of maxmemory with ${waiting} groups waiting, ` +
        `${refusedWrites} writes rejected by Redis; ${accepted.length} large ones accepted, lost ${lost}; ${inWords(verdict)}`,
    });
    expect(refusedWrites).to.equal(0);
    expect(used).to.be.below(LIMIT);
    expect(verdict.refused, 'it refused').to.be.above(0);
    expect(lost).to.equal(0);
    expectWhole(verdict);
    expectOnlyRefusals(tries);
    expect(await pipeline.queued()).to.include({ waiting: 0, failed: 0 });
  });
});

/** The number of writes that Redis has rejected for lack of memory since it started, of all clients. */
async function outOfMemory(redis: Redis): Promise<number> {
  const stats = await redis.info('errorstats');
  return Number(/^errorstat_OOM:count=(\d+)/m.exec(stats)?.[1] ?? 0);
}

describe('faults: a Redis that evicts', () => {
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
      report({
        test: 'evicting Redis',
        done: 'ingress started on a Redis with maxmemory-policy allkeys-lru',
        times: 1,
        asked: 'ends with 78 and names the command that fixes it',
        seen: `exit code ${service.ended()}`,
      });
      expect(service.ended()).to.equal(78);
      expect(told).to.contain('CONFIG SET maxmemory-policy noeviction');
    } finally {
      await service.kill('SIGKILL');
      await redis.stop();
    }
  });
});
