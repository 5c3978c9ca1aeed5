import { expect } from 'chai';
import { type OutboundPipeline, startOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { type Receiver, startReceiver } from '../dispatcher/support/receiver.ts';
import type { TestSource } from '../support/ingress.ts';
import { LONG, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { type EventLoad, startEventLoad } from './support/event-load.ts';
import { killOne } from './support/kill.ts';
import { brokenDeliveries, firstOfEach } from './support/received-verdict.ts';
import { report } from './support/report.ts';
import { countUntold } from './support/told-verdict.ts';

const KILLS = sized({ short: 4, middle: 16, long: 200 });
const ROUNDS = sized({ short: 1, middle: 4, long: 20 });
const BETWEEN = 20;
const PARTS = ['dispatcher', 'Redis', 'dispatcher', 'MongoDB', 'dispatcher', 'worker'] as const;

describe('faults: messages while parts die', function () {
  this.timeout(LONG ? 1_800_000 : 300_000);
  let pipeline: OutboundPipeline;
  let source: TestSource;
  let plain: Receiver;
  let ordered: Receiver;
  let load: EventLoad;
  const subscriptions: string[] = [];

  beforeEach(async () => {
    pipeline = await startOutboundPipeline({ ingress: 1, workers: 2, dispatchers: 2 });
    source = await pipeline.addSource({ plan: 'unlimited' });
    subscriptions.length = 0;
    [plain, ordered] = [await startReceiver(), await startReceiver()];
    for (const receiver of [plain, ordered]) {
      const body = { target_url: receiver.url, events: ['*'], ordered: receiver === ordered };
      const { subscription } = await pipeline.subscribe(source.accountId, body);
      subscriptions.push(subscription.subscription_id);
    }
    await Promise.all(pipeline.workers.map((worker) => worker.ready()));
    load = startEventLoad(source, () => pipeline.urls[0] as string);
  });
  afterEach(async () => {
    await load?.stop();
    await pipeline?.stop();
    await Promise.all([plain?.close(), ordered?.close()]);
  });

  async function replaceDispatcher(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const [old] = pipeline.dispatchers;
    if (signal === 'SIGTERM') await pipeline.addDispatcher();
    await old?.kill(signal);
    pipeline.dispatchers.splice(0, 1);
    if (signal === 'SIGKILL') await pipeline.addDispatcher();
  }

  /** Resolves once everything is told and delivered. */
  async function quiet(): Promise<void> {
    await load.stop();
    await pipeline.logged(source, load.accepted());
    const over = async () => {
      const boxes = await pipeline.mailboxes.status(source.accountId, subscriptions);
      return boxes.every(({ waiting }) => waiting === 0) && (await countUntold(pipeline.store)) === 0;
    };
    await until(over, { withinMs: 120_000, what: 'all messages are delivered' });
  }

  async function verdict(): Promise<{ violations: string[]; messages: number; repeated: number }> {
    const events = await pipeline.events(source);
    const violations = [
      ...brokenDeliveries(plain.received, events, { ordered: false }),
      ...brokenDeliveries(ordered.received, events, { ordered: true }),
    ];
    const all = plain.received.length + ordered.received.length;
    const messages = firstOfEach(plain.received).length + firstOfEach(ordered.received).length;
    return { violations, messages, repeated: all - messages };
  }

  it('guarantees 8 and 12: none is lost or out of order, whichever part is killed', async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await load.more(BETWEEN);
      const part = PARTS[kill % PARTS.length] as (typeof PARTS)[number];
      if (part === 'dispatcher') await replaceDispatcher('SIGKILL');
      else await killOne(pipeline, part, Math.random);
    }
    await quiet();
    const { violations, messages, repeated } = await verdict();
    report({
      ...{ test: 'no message lost', done: 'SIGKILL of dispatcher, Redis, MongoDB, worker', times: KILLS },
      asked: '0 lost, 0 out of order where ordered',
      seen: `${messages} messages, ${violations.length} violations, ${repeated} repeated`,
    });
    expect(violations).to.deep.equal([]);
    expect(messages).to.be.greaterThan(KILLS);
  });

  /** Entries that were attempted twice, although no receiver failed: their turn was lost. */
  async function attemptedTwice(): Promise<number> {
    const pages = await Promise.all(
      subscriptions.map((subscription_id) =>
        pipeline.store.webhookMessages.pageMessages({ subscription_id, limit: 100_000 }),
      ),
    );
    return pages.flat().filter(({ attempts }) => {
      const numbers = attempts.map(({ id }) => id.split(':').at(-1));
      return new Set(numbers).size < numbers.length;
    }).length;
  }

  it('loses none and attempts none twice while dispatchers are replaced one after the other', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await load.more(BETWEEN);
      await replaceDispatcher('SIGTERM');
    }
    await quiet();
    const { violations, messages } = await verdict();
    const twice = await attemptedTwice();
    report({
      ...{ test: 'no message lost', done: 'dispatchers replaced', times: ROUNDS },
      asked: '0 lost, 0 out of order, 0 attempted twice',
      seen: `${messages} messages, ${violations.length} violations, ${twice} attempted twice`,
    });
    expect(violations).to.deep.equal([]);
    expect(twice).to.equal(0);
  });
});
