import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type OutboundLoad, startOutboundLoad } from '../faults/support/outbound-load.ts';
import { progress, report } from '../faults/support/report.ts';
import { sized } from '../support/size.ts';
import { type RedisCluster, startRedisCluster } from './support/redis-cluster.ts';

const TIMES = sized({ short: 1, middle: 2, long: 10 });
const BETWEEN = 60;
const MEANWHILE_MS = 300;

describe('a Redis Cluster whose master dies while messages are delivered', function () {
  this.timeout(sized({ short: 240_000, long: 900_000 }));
  let cluster: RedisCluster;
  let outbound: OutboundLoad;
  before(async () => {
    cluster = await startRedisCluster();
    outbound = await startOutboundLoad({ redisUrl: cluster.url, env: { REDIS_WAIT_REPLICAS: '1' } });
  });
  after(async () => {
    await outbound?.stop();
    await cluster?.stop();
  });

  function holdResponses(): () => void {
    const receivers = [outbound.plain, outbound.ordered];
    const held: (() => void)[] = [];
    for (const one of receivers) one.answer = (_received, response) => void held.push(() => response.end());
    return () => {
      for (const one of receivers) one.answer = (_received, response) => void response.end();
      for (const respond of held) respond();
    };
  }

  it('guarantees 8 and 12: none is lost or out of order where ordered', async () => {
    const tag = `${outbound.pipeline.namespace}:0`;
    for (let times = 0; times < TIMES; times++) {
      await outbound.load.more(BETWEEN);
      const master = await cluster.masterOf(tag);
      // Only the master has its last writes: workers push the changes of what was accepted before. None is delivered before it dies.
      const release = holdResponses();
      await cluster.cutReplicaOff(master);
      await sleep(MEANWHILE_MS);
      await master.kill('SIGKILL');
      release();
      await cluster.takenOver(tag, master);
      await master.restart();
      await outbound.load.more(BETWEEN);
      await cluster.whole();
      progress(`${times + 1} masters killed, ${outbound.load.accepted()} changes`);
    }
    await outbound.quiet();
    const { violations, messages, repeated } = await outbound.verdict();
    report({
      ...{ test: 'no message lost', done: 'a master of a Redis Cluster cut off and killed, WAIT 1' },
      ...{ times: TIMES, asked: '0 lost, 0 untold, 0 out of order where ordered' },
      seen: `${messages} messages, ${violations.length} violations, ${repeated} repeated`,
    });
    expect(violations).to.deep.equal([]);
  });
});
