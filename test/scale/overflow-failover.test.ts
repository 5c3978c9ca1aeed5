import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { Receiver } from '../dispatcher/support/receiver.ts';
import { type OutboundLoad, startOutboundLoad } from '../faults/support/outbound-load.ts';
import { report } from '../faults/support/report.ts';
import { until } from '../support/until.ts';
import { type RedisCluster, startRedisCluster } from './support/redis-cluster.ts';

const BETWEEN = 100;
/** Messages of each mailbox that wait in MongoDB before its receiver is back. */
const IN_MONGODB = 300;
const RESPONSE_MS = 20;
const TEST_TEXT = '"type":"webhook.test","data":{}}';

describe('a Redis Cluster whose master dies while full mailboxes come back from MongoDB', function () {
  this.timeout(240_000);
  let cluster: RedisCluster;
  let outbound: OutboundLoad;
  let down = true;
  const held: (() => void)[] = [];
  let holds = false;

  /** Fails while it is down, and does not count what it got. Then it responds after a while, or once it is released. */
  function answers(receiver: Receiver): void {
    receiver.answer = (one, response) => {
      if (down) {
        receiver.received.splice(receiver.received.indexOf(one), 1);
        return void response.writeHead(500).end();
      }
      if (holds) return void held.push(() => response.end());
      setTimeout(() => response.end(), RESPONSE_MS);
    };
  }

  before(async () => {
    cluster = await startRedisCluster();
    outbound = await startOutboundLoad({ redisUrl: cluster.url, env: { REDIS_WAIT_REPLICAS: '1' } });
    for (const receiver of [outbound.plain, outbound.ordered]) answers(receiver);
  });
  after(async () => {
    await outbound?.stop();
    await cluster?.stop();
  });

  /** How many messages of each mailbox are in MongoDB, as a master has it. */
  async function inMongo(master: Redis): Promise<number[]> {
    const { mailbox } = createShards(outbound.pipeline.namespace, 1).first;
    return Promise.all(
      outbound.subscriptions.map(async (id) => Number(await master.hget(mailbox(id), 'over_count'))),
    );
  }

  /** A test that is delivered opens a mailbox that is probed. */
  async function heal(): Promise<void> {
    down = false;
    for (const id of outbound.subscriptions) {
      const test = { changeId: `test_${id}`, messageId: `msg_test_${id}`, recordId: 'test', text: TEST_TEXT };
      const push = () => outbound.pipeline.mailboxes.pushTest(outbound.source.accountId, id, test);
      const isPushed = () =>
        push().then(
          ({ status }) => status === 'pushed',
          () => false,
        );
      await until(isPushed, { what: 'a test is pushed' });
    }
  }

  it('guarantees 8 and 12: loses none and keeps the order, although the replica does not know what has come back', async () => {
    const tag = `${outbound.pipeline.namespace}:0`;
    const master = await cluster.masterOf(tag);
    const direct = new Redis(master.url);
    while ((await inMongo(direct)).some((count) => count < IN_MONGODB)) await outbound.load.more(BETWEEN);
    await cluster.cutReplicaOff(master);
    await heal();
    const isBack = async () => (await inMongo(direct)).some((count) => count === 0);
    await until(isBack, { what: 'the messages of a mailbox have come back' });
    holds = true;
    direct.disconnect();
    await master.kill('SIGKILL');
    await cluster.takenOver(tag, master);
    holds = false;
    for (const respond of held) respond();
    await master.restart();
    await cluster.whole();
    // The replica does not know that the receivers are back either.
    await heal();
    await outbound.quiet();
    const { violations, messages, repeated } = await outbound.verdict();
    report({
      ...{ test: 'no message lost', done: 'a master killed that alone knows what came back from MongoDB' },
      ...{ times: 1, asked: '0 lost, 0 out of order where ordered' },
      seen: `${messages} messages, ${violations.length} violations, ${repeated} repeated`,
    });
    expect(violations).to.deep.equal([]);
    expect(messages).to.be.above(2 * IN_MONGODB);
  });
});
