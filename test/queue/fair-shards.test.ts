import { type Consumer, createConsumer } from '@sluice/queue/consumer';
import type { TakenJob } from '@sluice/queue/consumer-worker';
import { createSharedTurns, heldOfEach } from '@sluice/queue/shared-turns';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { patientRedis } from '../support/redis-client.ts';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

/** Two busy shards: a turn that one frees goes to the other when no third shard waits. */
const BUSY = ['busy', 'busy too'];
const SHARDS = [...BUSY, 'quiet'];
const BUSY_JOBS = 250;
const QUIET_JOBS = 10;
const ALL_JOBS = BUSY.length * BUSY_JOBS + QUIET_JOBS;
const CONCURRENCY = 2;
/** Round trips to Redis in each job. A job takes longer than fetching the next one, so jobs wait for their turns. */
const WORK = 5;
/** The quiet jobs are added after this many busy ones. */
const QUIET_AFTER = 20;
/** The jobs prefetched of each shard: some run, and the others wait for a turn. */
const WAITED_FOR = SHARDS.length * CONCURRENCY - 1 - CONCURRENCY;
/**
 * Quiet jobs get about every third turn. The extra turns cover the time in which Redis and BullMQ notice the first one: as long
 * as several busy jobs.
 */
const PLACES = QUIET_AFTER + 10 * QUIET_JOBS;

const jobs = (shard: string, count: number) =>
  Array.from({ length: count }, () => ({ name: 'group', data: { shard } }));

interface Turn {
  readonly shard: string;
  /** The number of jobs that had their turn between the fetch of this job and its turn. */
  readonly waitedFor: number;
}

describe('a worker that serves several shards', function () {
  this.timeout(240_000);
  const opened: Redis[] = [];
  const connect = () => {
    const redis = patientRedis(sharedRedisUrl());
    opened.push(redis);
    return redis;
  };
  let queues: Queue[];
  let consumers: Consumer[];
  let atWork: number;
  let mostAtWork: number;
  const served: Turn[] = [];

  before(async () => {
    const namespace = uniqueNamespace('fair');
    const prefixes = SHARDS.map((shard) => `{${namespace}:${shard}}`);
    const client = connect();
    queues = prefixes.map((prefix) => new Queue('actions', { connection: client, prefix }));
    atWork = 0;
    mostAtWork = 0;
    const turns = createSharedTurns(CONCURRENCY);
    const takenAt = new Map<TakenJob, number>();
    const serve = turns.wrap(async (job) => {
      atWork += 1;
      mostAtWork = Math.max(mostAtWork, atWork);
      const { shard } = job.data as { shard: string };
      served.push({ shard, waitedFor: served.length - (takenAt.get(job) as number) });
      if (served.length === QUIET_AFTER) await queues[BUSY.length]?.addBulk(jobs('quiet', QUIET_JOBS));
      for (let i = 0; i < WORK; i++) await client.ping();
      atWork -= 1;
      return 'done';
    });
    const handle = (job: TakenJob) => {
      takenAt.set(job, served.length);
      return serve(job);
    };
    await Promise.all(BUSY.map((shard, i) => queues[i]?.addBulk(jobs(shard, BUSY_JOBS))));
    const logger = { warn: () => undefined, error: () => undefined };
    consumers = prefixes.map((prefix) =>
      createConsumer({ queue: 'actions', prefix, concurrency: CONCURRENCY, connect, handle, logger }),
    );
    await until(() => served.length === ALL_JOBS, { what: 'all jobs are done' });
  });
  after(async () => {
    await Promise.all(consumers.map((consumer) => consumer.close(1000)));
    await Promise.all(queues.map((queue) => queue.obliterate({ force: true })));
    await Promise.all(queues.map((queue) => queue.close()));
    for (const redis of opened) redis.disconnect();
  });

  it('lets a job wait only for jobs that were fetched before it', () => {
    expect(Math.max(...served.map(({ waitedFor }) => waitedFor))).to.be.at.most(WAITED_FOR);
  });

  it('never makes a shard wait behind the backlog of another', () => {
    expect(served.map(({ shard }) => shard).lastIndexOf('quiet')).to.be.below(PLACES);
  });

  it('prefetches at most a multiple of its concurrency from many shards, and the full limit from few', () => {
    for (const shards of [1, 4]) expect(heldOfEach(32, shards)).to.equal(32);
    for (const shards of [5, 12, 24, 64])
      expect(heldOfEach(32, shards) * shards).to.be.within(shards, 4 * 32);
    expect(heldOfEach(1, 64), 'with a concurrency of one').to.equal(1);
  });

  it('runs as many jobs at a time as with one shard', () => {
    expect(mostAtWork).to.be.at.most(CONCURRENCY);
  });
});
