import type { Delivery } from '@sluice/contract/delivery/delivery';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startLoad, type Try } from '../faults/support/load.ts';
import { report } from '../faults/support/report.ts';
import { expectWhole, inWords, verdictOn } from '../faults/support/whole.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { type MovingAddress, startMovingAddress } from './support/moving-address.ts';

const TIMES = sized({ short: 1, long: 10 });
const REQUESTS = 100;
/** From the kill until a worker has applied a request that the new master accepted. */
const APPLIED_WITHIN_MS = 30_000;

/**
 * When a master was killed, by the clock that workers use, and when its replica was promoted, by the clock of a try.
 */
interface Promotion {
  readonly killedAtEpoch: number;
  readonly promotedAt: number;
}

/** One Redis with a replica behind an address that moves, as with Sentinel and hosted services. */
describe('a replica that is promoted', function () {
  this.timeout(sized({ short: 240_000, long: 400_000 }));
  const servers: RedisServer[] = [];
  let address: MovingAddress;
  let pipeline: Pipeline;
  before(async () => {
    servers.push(await startRedis({ aof: true }));
    await addReplica();
    address = await startMovingAddress((servers[0] as RedisServer).url);
    pipeline = await startPipeline({ redisUrl: address.url, env: { REDIS_WAIT_REPLICAS: '1' } });
  });
  after(async () => {
    await pipeline?.stop();
    await address?.close();
    await Promise.all(servers.map((server) => server.stop()));
  });

  /** Starts a replica of the current master, and waits until it is in sync. */
  async function addReplica(): Promise<void> {
    servers.push(await startRedis({ aof: true, replicaOf: servers.at(-1) as RedisServer }));
    const inStep = async () => /master_link_status:up/.test(await ask((redis) => redis.info('replication')));
    await until(inStep, { what: 'the replica is in sync' });
  }

  async function ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis((servers.at(-1) as RedisServer).url);
    try {
      return await question(redis);
    } finally {
      redis.disconnect();
    }
  }

  it('continues from the state of the killed master: nothing accepted is lost, and workers apply again within 30 s', async () => {
    const source = await pipeline.addSource();
    const load = startLoad({ urls: pipeline.urls, source, perSecond: 50 });
    let longest = 0;
    const promotions: Promotion[] = [];
    for (let i = 0; i < TIMES; i++) {
      await load.sent(REQUESTS);
      const master = servers.at(-2) as RedisServer;
      const [killedAt, killedAtEpoch] = [performance.now(), Date.now()];
      await master.kill('SIGKILL');
      await ask((redis) => redis.replicaof('NO', 'ONE'));
      address.moveTo((servers.at(-1) as RedisServer).url);
      const promotedAt = performance.now();
      promotions.push({ killedAtEpoch, promotedAt });
      await addReplica();
      const taken = () =>
        load.tries.some(({ sentAt, answer }) => sentAt > promotedAt && answer?.status === 200);
      await until(taken, { what: 'requests are accepted again' });
      longest = Math.max(longest, performance.now() - killedAt);
    }
    await load.sent(REQUESTS);
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    const rows = await pipeline.deliveries(source);
    const applied = promotions.map((one) => appliedAfter(one, tries, rows));
    report({
      test: 'redis-promotion',
      done: 'SIGKILL of a master, its replica promoted and given a new one, WAIT 1',
      times: TIMES,
      asked: 'only 200 and 503, nothing lost, applied again within 30 s',
      seen:
        `accepted again after ${Math.round(longest)} ms at most, ` +
        `applied again after ${applied.join(', ')} ms; ${inWords(verdict)}`,
    });
    expectWhole(verdict);
    const statuses = new Set(tries.map(({ answer }) => answer?.status));
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).to.deep.equal([]);
    for (const ms of applied) expect(ms).to.be.below(APPLIED_WITHIN_MS);
  });
});

/** From the kill of a master until an action that was accepted after the promotion is applied. */
function appliedAfter(
  { killedAtEpoch, promotedAt }: Promotion,
  tries: readonly Try[],
  rows: readonly Delivery[],
): number {
  const accepted = new Set(
    tries
      .filter(({ sentAt, answer }) => sentAt > promotedAt && answer?.status === 200)
      .map(({ answer }) => answer?.body.delivery_id),
  );
  const times = rows
    .filter(({ delivery_id }) => accepted.has(delivery_id))
    .map(({ applied_at }) => applied_at as number);
  return Math.min(...times) - killedAtEpoch;
}
