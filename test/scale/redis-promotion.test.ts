import { Redis } from 'ioredis';
import { startLoad } from '../faults/support/load.ts';
import { acceptedAgain } from '../faults/support/outage.ts';
import { report } from '../faults/support/report.ts';
import { expectOnlyRefusals, expectWhole, inWords, verdictOn } from '../faults/support/whole.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { sized } from '../support/size.ts';
import { carryAll, startTcpProxy, type TcpProxy, urlOf } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const TIMES = sized({ short: 1, long: 10 });
const REQUESTS = 50;

/** One Redis with a replica behind an address that moves, as with Sentinel and hosted services. */
describe('a replica that is promoted', function () {
  this.timeout(sized({ short: 240_000, long: 400_000 }));
  const servers: RedisServer[] = [];
  /** The server to which the address leads. */
  let target: RedisServer;
  let address: TcpProxy;
  let pipeline: Pipeline;
  before(async () => {
    target = await startRedis({ aof: true });
    servers.push(target);
    await addReplica();
    const { url } = target;
    address = await startTcpProxy({ target: () => new URL(target.url), carry: carryAll });
    pipeline = await startPipeline({ redisUrl: urlOf(address, url), env: { REDIS_WAIT_REPLICAS: '1' } });
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

  it('continues from the state of the killed master: nothing accepted is lost', async () => {
    const source = await pipeline.addSource();
    const load = startLoad({ urls: pipeline.urls, source, perSecond: 50 });
    let longestMs = 0;
    for (let i = 0; i < TIMES; i++) {
      await load.sent(REQUESTS);
      const master = servers.at(-2) as RedisServer;
      const killedAt = performance.now();
      await master.kill('SIGKILL');
      await ask((redis) => redis.replicaof('NO', 'ONE'));
      target = servers.at(-1) as RedisServer;
      address.hangUp();
      await addReplica();
      await acceptedAgain(load);
      longestMs = Math.max(longestMs, performance.now() - killedAt);
    }
    await load.sent(REQUESTS);
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    report(`accepted again after ${Math.round(longestMs)} ms at most; ${inWords(verdict)}`, TIMES);
    expectWhole(verdict);
    expectOnlyRefusals(tries);
  });
});
