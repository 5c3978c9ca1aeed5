import { type Consumer, createConsumer } from '@sluice/queue/consumer';
import { createSharedTurns, heldOfEach } from '@sluice/queue/shared-turns';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';
import { patientRedis } from './support/consumer-bench.ts';

const BUSY_JOBS = 500;
const QUIET_JOBS = 10;
const CONCURRENCY = 2;

const jobs = (shard: string, count: number) =>
  Array.from({ length: count }, () => ({ name: 'group', data: { shard } }));

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
  const taken: string[] = [];

  before(async () => {
    const namespace = uniqueNamespace('fair');
    const prefixes = ['busy', 'quiet'].map((shard) => `{${namespace}:${shard}}`);
    const client = connect();
    queues = prefixes.map((prefix) => new Queue('actions', { connection: client, prefix }));
    atWork = 0;
    mostAtWork = 0;
    const turns = createSharedTurns(CONCURRENCY);
    const handle = turns.wrap(async ({ data }) => {
      atWork += 1;
      mostAtWork = Math.max(mostAtWork, atWork);
      const { shard } = data as { shard: string };
      taken.push(shard);
      if (taken.length === 20) await queues[1]?.addBulk(jobs('quiet', QUIET_JOBS));
      await client.ping();
      atWork -= 1;
      return 'done';
    });
    await queues[0]?.addBulk(jobs('busy', BUSY_JOBS));
    const logger = { warn: () => undefined, error: () => undefined };
    consumers = prefixes.map((prefix) =>
      createConsumer({ queue: 'actions', prefix, concurrency: CONCURRENCY, connect, handle, logger }),
    );
    await until(() => taken.length === BUSY_JOBS + QUIET_JOBS, { what: 'all jobs are done' });
  });
  after(async () => {
    await Promise.all(consumers.map((consumer) => consumer.close(1000)));
    await Promise.all(queues.map((queue) => queue.obliterate({ force: true })));
    await Promise.all(queues.map((queue) => queue.close()));
    for (const redis of opened) redis.disconnect();
  });

  it('lets no shard wait behind the backlog of another', () => {
    expect(taken.lastIndexOf('quiet')).to.be.below(taken.lastIndexOf('busy'));
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
