import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import type { Receiver } from '../dispatcher/support/receiver.ts';
import { newFolder } from '../support/folder.ts';
import { seededRandom } from '../support/load.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { LONG, seed, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { killOne } from './support/kill.ts';
import {
  limitMemory,
  type OutboundLoad,
  replaceDispatcher,
  startOutboundLoad,
} from './support/outbound-load.ts';
import { preload } from './support/preload.ts';

const PARTS = ['dispatcher', 'Redis', 'worker', 'MongoDB'] as const;
const KILLS = sized({ short: 4, middle: 16, long: 200 });
const REPLACED = sized({ short: 1, middle: 4, long: 20 });
const TIMES_FULL = sized({ short: 1, middle: 2, long: 5 });
const FULL_MS = sized({ short: 1_000, long: 30_000 });
const AWAY_MS = sized({ short: 2_000, long: 300_000 });
/** The pace of each sender while MongoDB is away. The test reads the whole log of deliveries at its end. */
const AWAY_PACE_MS = sized({ short: 50, long: 500 });
const JUMPS_MS = sized({ short: [HOUR_MS, -HOUR_MS], middle: [HOUR_MS, 0, -HOUR_MS, 0] });
const JUMP_ROUNDS = sized({ short: 1, middle: 2, long: 10 });
/** Kills while receivers are down, and as many while they get what has waited. */
const DOWN_KILLS = sized({ short: 1, middle: 4, long: 50 });
const DISPATCHERS = sized({ short: 1, middle: 2 });
/** Accepted changes between two faults. */
const BETWEEN = 20;

/** Guarantees 8 and 12: no message is lost, and those of an ordered subscription arrive in order. */
describe('messages are all delivered, and in order where ordered,', function () {
  this.timeout(LONG ? 1_800_000 : 300_000);
  const random = seededRandom(seed);
  // The ingress rejects as late as possible, so that the last writes meet a full Redis.
  const env = { REDIS_MEMORY_LIMIT_PERCENT: '100' };
  const pipeline = useOutboundPipeline({ ingress: 1, workers: 2, dispatchers: DISPATCHERS, env });
  let outbound: OutboundLoad;
  const redis = useRedisClient(() => pipeline.redis.url);
  beforeEach(async () => {
    outbound = await startOutboundLoad(pipeline);
  });
  afterEach(() => outbound?.stop());

  const kill = (part: (typeof PARTS)[number]) =>
    part === 'dispatcher' ? replaceDispatcher(pipeline, 'SIGKILL') : killOne(pipeline, part, random);
  async function killDispatchers(): Promise<void> {
    await Promise.all(pipeline.dispatchers.splice(0).map((one) => one.kill('SIGKILL')));
  }
  async function startDispatchers(): Promise<void> {
    for (let n = 0; n < DISPATCHERS; n++) await pipeline.addDispatcher();
  }

  it('whichever part is killed', async () => {
    for (let kills = 0; kills < KILLS; kills++) {
      await outbound.load.more(BETWEEN);
      await kill(PARTS[kills % PARTS.length] as (typeof PARTS)[number]);
    }
    expect(await outbound.expectDelivered(KILLS)).to.be.above(KILLS);
  });

  it('and none is attempted twice, while dispatchers are replaced one after the other', async () => {
    for (let round = 0; round < REPLACED; round++) {
      await outbound.load.more(BETWEEN);
      await replaceDispatcher(pipeline, 'SIGTERM');
    }
    await outbound.expectDelivered(REPLACED);
    // An entry that was attempted twice, although no receiver failed: its turn was lost.
    const pages = await Promise.all(
      outbound.subscriptions.map((subscription_id) =>
        pipeline.store.webhookMessages.pageMessages({ subscription_id, limit: 100_000 }),
      ),
    );
    const twice = pages.flat().filter(({ attempts }) => {
      const numbers = attempts.map(({ id }) => id.split(':').at(-1));
      return new Set(numbers).size < numbers.length;
    });
    expect(twice).to.deep.equal([]);
  });

  it('while Redis is full', async () => {
    const rejected = async () =>
      Number(/^errorstat_OOM:count=(\d+)/m.exec(await redis.info('errorstats'))?.[1] ?? 0);
    for (let times = 0; times < TIMES_FULL; times++) {
      await outbound.load.more(BETWEEN);
      const [before, end] = [await rejected(), Date.now() + FULL_MS];
      // Repeats, because deliveries free memory.
      while (Date.now() < end || (await rejected()) === before) {
        await limitMemory(redis);
        await sleep(50);
      }
      await redis.config('SET', 'maxmemory', 0);
    }
    await outbound.load.more(BETWEEN);
    await outbound.expectDelivered(TIMES_FULL);
  });

  it(`while MongoDB is away for ${AWAY_MS / 1000} s, and if all dispatchers are killed meanwhile`, async () => {
    const { mongo } = pipeline;
    // Another engine is not ours to kill.
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    const release = outbound.holdResponses();
    await outbound.load.more(BETWEEN);
    await mongo.kill('SIGKILL');
    release();
    outbound.load.pace(AWAY_PACE_MS);
    await sleep(AWAY_MS);
    outbound.load.pace();
    // Messages that they have delivered meanwhile are not in the log. They may not be acknowledged, so the next dispatchers send them again.
    await killDispatchers();
    await mongo.restart();
    await startDispatchers();
    await outbound.load.more(BETWEEN);
    await outbound.expectDelivered(1);
  });

  it('when the clock of a dispatcher jumps an hour ahead and back', async () => {
    const file = join(newFolder(), 'clock');
    await killDispatchers();
    const { pid } = await pipeline.addDispatcher({ ...preload('jumping-clock'), CLOCK_FILE: file });
    const receivers = [outbound.plain, outbound.ordered];
    for (let round = 0; round < JUMP_ROUNDS; round++)
      for (const aheadMs of JUMPS_MS) {
        await outbound.load.more(BETWEEN);
        for (const receiver of receivers) pauseAndFail(receiver);
        await outbound.load.more(BETWEEN);
        await writeFile(file, String(aheadMs));
        process.kill(pid, 'SIGUSR2');
        const enough = receivers.map(({ received }) => received.length + BETWEEN);
        const goesOn = () => receivers.every(({ received }, i) => received.length > (enough[i] as number));
        await until(goesOn, { what: 'both receive after the pause' });
      }
    await outbound.expectDelivered(JUMP_ROUNDS * JUMPS_MS.length);
    await killDispatchers();
    await startDispatchers();
  });

  it('also those that wait for receivers that are down, whichever part is killed', async () => {
    outbound.isDown = true;
    await outbound.probed();
    const killAny = () => kill(PARTS[Math.floor(random() * PARTS.length)] as (typeof PARTS)[number]);
    for (let kills = 0; kills < DOWN_KILLS; kills++) {
      await outbound.load.more(BETWEEN);
      await killAny();
    }
    await outbound.load.more(BETWEEN * DOWN_KILLS);
    outbound.isDown = false;
    await outbound.healAll();
    const delivered = () => outbound.plain.received.length + outbound.ordered.received.length;
    for (let kills = 0; kills < DOWN_KILLS; kills++) {
      const enough = delivered() + BETWEEN;
      await until(() => delivered() >= enough, { what: 'messages are delivered again' });
      await killAny();
    }
    await outbound.expectDelivered(2 * DOWN_KILLS);
  });

  it('also those that wait while Redis is emptied', async () => {
    await outbound.load.more(BETWEEN);
    outbound.isDown = true;
    await outbound.probed();
    await outbound.load.more(BETWEEN);
    // Redis is the only place of requests that are not applied.
    await outbound.load.stop();
    await pipeline.logged(outbound.source, outbound.load.accepted());
    await redis.flushall();
    outbound.isDown = false;
    await outbound.healAll();
    await outbound.expectDelivered(1);
  });
});

/** Its next request gets a pause of the whole subscription, and the one after it a failure. Neither counts as received. */
function pauseAndFail(receiver: Receiver): void {
  const { answer } = receiver;
  const pause = { 'retry-after': '1' };
  const respond = (status: number, headers: Record<string, string>, next: Receiver['answer']) => {
    receiver.answer = (one, response) => {
      receiver.answer = next;
      receiver.received.splice(receiver.received.indexOf(one), 1);
      response.writeHead(status, headers).end();
    };
    return receiver.answer;
  };
  respond(429, pause, respond(500, {}, answer));
}
