import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { Receiver } from '../dispatcher/support/receiver.ts';
import { seededRandom } from '../support/load.ts';
import { LONG, seed, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { killOne } from './support/kill.ts';
import { type OutboundLoad, startOutboundLoad } from './support/outbound-load.ts';
import { report } from './support/report.ts';

/** Kills while mailboxes go over into MongoDB, and as many while they come back. */
const KILLS = sized({ short: 3, middle: 8, long: 50 });
const BETWEEN = 250;
const DELIVERED_BETWEEN = 100;
const PARTS = ['MongoDB', 'Redis', 'dispatcher', 'worker'] as const;
/** A mailbox whose receiver is probed keeps about 700 messages in Redis. So many must be in MongoDB before it comes back. */
const IN_MONGODB = sized({ short: 150, long: 4_000 });
const RESPONSE_MS = 5;
const TEST_TEXT = '"type":"webhook.test","data":{}}';

describe('faults: a mailbox that goes over into MongoDB while parts die', function () {
  this.timeout(LONG ? 1_800_000 : 300_000);
  let outbound: OutboundLoad;
  let redis: Redis;
  let down = true;
  const random = seededRandom(seed);

  /** Fails while it is down, and does not count what it got. */
  function slowOrDown(receiver: Receiver): void {
    receiver.answer = (one, response) => {
      if (!down) return void setTimeout(() => response.end(), RESPONSE_MS);
      receiver.received.splice(receiver.received.indexOf(one), 1);
      response.writeHead(500).end();
    };
  }

  before(async () => {
    outbound = await startOutboundLoad();
    redis = new Redis(outbound.pipeline.redis.url, { maxRetriesPerRequest: null });
    for (const receiver of [outbound.plain, outbound.ordered]) slowOrDown(receiver);
  });
  after(async () => {
    redis?.disconnect();
    await outbound?.stop();
  });

  async function kill(): Promise<void> {
    const part = PARTS[Math.floor(random() * PARTS.length)] as (typeof PARTS)[number];
    if (part === 'dispatcher') await outbound.replaceDispatcher('SIGKILL');
    else await killOne(outbound.pipeline, part, random);
  }

  const status = () => outbound.pipeline.mailboxes.status(outbound.source.accountId, outbound.subscriptions);

  /** The messages of each mailbox that wait in MongoDB. */
  async function inMongo(): Promise<number[]> {
    const { mailbox } = createShards(outbound.pipeline.namespace, 1).first;
    return Promise.all(
      outbound.subscriptions.map(async (id) => Number(await redis.hget(mailbox(id), 'over_count'))),
    );
  }

  /** A test that is delivered opens a mailbox that is probed. */
  async function healAll(): Promise<void> {
    for (const id of outbound.subscriptions) {
      const test = { changeId: `test_${id}`, messageId: `msg_test_${id}`, recordId: 'test', text: TEST_TEXT };
      const push = () => outbound.pipeline.mailboxes.pushTest(outbound.source.accountId, id, test);
      await until(async () => (await push()).status === 'pushed', { what: 'a test is pushed' });
    }
  }

  it('guarantees 8 and 12: loses none and keeps the order, whichever part is killed', async () => {
    const probed = async () => (await status()).every(({ state }) => state.probing);
    await until(probed, { withinMs: 60_000, what: 'both receivers are probed' });
    for (let kills = 0; kills < KILLS; kills++) {
      await outbound.load.more(BETWEEN);
      await kill();
    }
    while ((await inMongo()).some((rows) => rows < IN_MONGODB)) await outbound.load.more(BETWEEN);

    down = false;
    await healAll();
    const delivered = () => outbound.plain.received.length + outbound.ordered.received.length;
    for (let kills = 0; kills < KILLS; kills++) {
      const enough = delivered() + DELIVERED_BETWEEN;
      await until(() => delivered() >= enough, { withinMs: 60_000, what: 'messages are delivered again' });
      await kill();
    }
    await outbound.quiet();
    const { violations, messages, repeated } = await outbound.verdict();
    report({
      ...{ test: 'no message lost in MongoDB', done: 'SIGKILL of dispatcher, Redis, MongoDB, worker' },
      ...{ times: 2 * KILLS, asked: '0 lost, 0 out of order where ordered' },
      seen: `${messages} messages, ${violations.length} violations, ${repeated} repeated`,
    });
    expect(violations).to.deep.equal([]);
  });
});
