import { type Consumer, createConsumer } from '@sluice/queue/consumer';
import type { TakenJob } from '@sluice/queue/consumer-worker';
import { createSharedTurns, heldOfEach } from '@sluice/queue/shared-turns';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';
import { patientRedis } from './support/consumer-bench.ts';

/** Two of them: what one has finished goes to the other's next job, if to nobody else's. */
const BUSY = ['busy', 'busy too'];
const SHARDS = [...BUSY, 'quiet'];
const BUSY_JOBS = 250;
const QUIET_JOBS = 10;
const ALL_JOBS = BUSY.length * BUSY_JOBS + QUIET_JOBS;
const CONCURRENCY = 2;
/** Round trips to Redis: a job takes longer than it takes to get the next one, so they do wait for their turns. */
const WORK = 5;
/** After so many busy jobs the quiet ones come. */
const QUIET_AFTER = 20;
/** So many are held of each shard. A job that waits is one of them; as many as have a turn are at work already. */
const WAITED_FOR = SHARDS.length * CONCURRENCY - 1 - CONCURRENCY;
/**
 * Quiet jobs get about every third turn. More are left to them for what Redis and BullMQ need to notice the first, which
 * takes as long as several busy jobs do.
 */
const PLACES = QUIET_AFTER + 10 * QUIET_JOBS;

const jobs = (shard: string, count: number) =>
  Array.from({ length: count }, () => ({ name: 'group', data: { shard } }));

interface Turn {
  readonly shard: string;
  /** How many jobs had their turn between the moment in which this one was taken and its own. */
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

  it('lets no job that was taken wait for more than what others had taken before it', () => {
    expect(Math.max(...served.map(({ waitedFor }) => waitedFor))).to.be.at.most(WAITED_FOR);
  });

  it('lets no shard wait behind the backlog of another', () => {
    expect(served.map(({ shard }) => shard).lastIndexOf('quiet')).to.be.below(PLACES);
  });

  it('holds no more of all together than so many times what it does at a time, and of few shards all that it may', () => {
    for (const shards of [1, 4]) expect(heldOfEach(32, shards)).to.equal(32);
    for (const shards of [5, 12, 24, 64])
      expect(heldOfEach(32, shards) * shards).to.be.within(shards, 4 * 32);
    expect(heldOfEach(1, 64), 'where one is done at a time').to.equal(1);
  });

  it('does no more at a time than with one', () => {
    expect(mostAtWork).to.be.at.most(CONCURRENCY);
  });
});
