import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { type OutboundLoad, startOutboundLoad } from './support/outbound-load.ts';
import { report } from './support/report.ts';

const MAX_MEMORY = 32 * 2 ** 20;
const FULL_MS = sized({ short: 2_000, long: 30_000 });
const TIMES_FULL = sized({ short: 1, middle: 2, long: 5 });
const AWAY_MS = sized({ short: 3_000, long: 300_000 });
/** The pace of each sender meanwhile. The test reads the whole log of deliveries at its end. */
const AWAY_PACE_MS = sized({ short: 0, long: 500 });
const BETWEEN = 60;
const RESPONSE_MS = 10;

describe('faults: messages while a store is full or away', function () {
  this.timeout(sized({ short: 240_000, long: 900_000 }));
  let outbound: OutboundLoad;
  afterEach(() => outbound?.stop());

  async function start(args: readonly string[] = []): Promise<void> {
    outbound = await startOutboundLoad({
      redis: { aof: true, args: [...args] },
      // The ingress rejects as late as possible, so that the last writes meet a full Redis.
      env: { REDIS_MEMORY_LIMIT_PERCENT: '100' },
    });
    for (const receiver of [outbound.plain, outbound.ordered])
      receiver.answer = (_received, response) => void setTimeout(() => response.end(), RESPONSE_MS);
  }

  /** Lets messages wait, until it is released. */
  function holdResponses(): () => void {
    const receivers = [outbound.plain, outbound.ordered];
    const held: (() => void)[] = [];
    const answers = receivers.map(({ answer }) => answer);
    for (const one of receivers) one.answer = (_received, response) => void held.push(() => response.end());
    return () => {
      for (const [n, one] of receivers.entries()) one.answer = answers[n] as typeof one.answer;
      for (const respond of held) respond();
    };
  }

  async function end(done: string, times: number): Promise<void> {
    await outbound.quiet();
    const { violations, messages, repeated } = await outbound.verdict();
    report({
      ...{ test: 'no message lost', done, times, asked: '0 lost, 0 out of order where ordered' },
      seen: `${messages} messages, ${violations.length} violations, ${repeated} repeated`,
    });
    expect(violations).to.deep.equal([]);
    expect(messages).to.be.above(BETWEEN);
  }

  it('guarantees 8 and 12: loses none and keeps the order while Redis is full', async () => {
    await start(['--maxmemory', `${MAX_MEMORY}`]);
    const ballast = new Redis(outbound.pipeline.redis.url);
    const piece = 'x'.repeat(2 ** 16);
    const fill = async () => {
      for (let n = 0; n < (2 * MAX_MEMORY) / piece.length; n++)
        if ((await ballast.set(`ballast:${n}`, piece).catch(() => null)) === null) return true;
      return false;
    };
    for (let times = 0; times < TIMES_FULL; times++) {
      await outbound.load.more(BETWEEN);
      // Repeats, because deliveries free memory.
      const until = Date.now() + FULL_MS;
      let wasFull = false;
      while (Date.now() < until) {
        wasFull = (await fill()) || wasFull;
        await sleep(50);
      }
      expect(wasFull, 'it was full').to.equal(true);
      await ballast.unlink(await ballast.keys('ballast:*'));
    }
    ballast.disconnect();
    await outbound.load.more(BETWEEN);
    await end('Redis filled to maxmemory and emptied', TIMES_FULL);
  });

  it(`guarantees 8 and 12: loses none and keeps the order while MongoDB is away for ${AWAY_MS / 1000} s`, async function () {
    await start();
    const { mongo } = outbound.pipeline;
    if (mongo === undefined) return this.skip();
    const release = holdResponses();
    await outbound.load.more(BETWEEN);
    await mongo.kill('SIGKILL');
    release();
    outbound.load.pace(AWAY_PACE_MS);
    await sleep(AWAY_MS);
    outbound.load.pace(0);
    // Messages that they have delivered meanwhile are not in the log. They may not be acknowledged, so the next dispatchers send them again.
    const { dispatchers } = outbound.pipeline;
    await Promise.all(dispatchers.splice(0).map((one) => one.kill('SIGKILL')));
    await mongo.restart();
    for (let n = 0; n < 2; n++) await outbound.pipeline.addDispatcher();
    const before = outbound.plain.received.length;
    await until(() => outbound.plain.received.length > before, { what: 'messages are delivered again' });
    await end(`MongoDB away for ${AWAY_MS / 1000} s, and all dispatchers killed meanwhile`, 1);
  });
});
