import { setTimeout as sleep } from 'node:timers/promises';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { type OutboundLoad, startOutboundLoad } from '../faults/support/outbound-load.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { useRedisCluster } from './support/redis-cluster.ts';

const TIMES = sized({ short: 1, middle: 2, long: 10 });
const BETWEEN = 20;
const MEANWHILE_MS = 300;

/** Guarantees 8 and 12: no message is lost, and those of an ordered subscription arrive in order. */
describe('messages are all delivered, and in order where ordered, if a master of a Redis Cluster dies', function () {
  this.timeout(sized({ short: 240_000, long: 900_000 }));
  const cluster = useRedisCluster();
  const env = { REDIS_WAIT_REPLICAS: '1' };
  const pipeline = useOutboundPipeline(() => ({ workers: 2, dispatchers: 1, redisUrl: cluster.url, env }));
  let outbound: OutboundLoad;
  const tag = () => `${pipeline.namespace}:0`;
  beforeEach(async () => {
    outbound = await startOutboundLoad(pipeline);
  });
  afterEach(() => outbound?.stop());

  it('that alone has its last writes', async () => {
    for (let times = 0; times < TIMES; times++) {
      await outbound.load.more(BETWEEN);
      const master = await cluster.masterOf(tag());
      // Workers push the changes of what was accepted before. None is delivered before it dies.
      const release = outbound.holdResponses();
      await cluster.cutReplicaOff(master);
      await sleep(MEANWHILE_MS);
      await master.kill('SIGKILL');
      release();
      await cluster.takenOver(tag(), master);
      await master.restart();
      await outbound.load.more(BETWEEN);
      await cluster.whole();
    }
    await outbound.expectDelivered(TIMES);
  });

  it('that alone knows that the receivers are back, and how far they are', async () => {
    outbound.isDown = true;
    await outbound.probed();
    await outbound.load.more(BETWEEN);
    const master = await cluster.masterOf(tag());
    await cluster.cutReplicaOff(master);
    outbound.isDown = false;
    await outbound.healAll();
    const { received } = outbound.plain;
    const enough = received.length + BETWEEN / 2;
    await until(() => received.length >= enough, { what: 'messages that have waited are delivered' });
    const release = outbound.holdResponses();
    await master.kill('SIGKILL');
    await cluster.takenOver(tag(), master);
    release();
    await master.restart();
    await cluster.whole();
    // The replica does not know that the receivers are back either.
    await outbound.healAll();
    await outbound.expectDelivered(1);
  });
});
