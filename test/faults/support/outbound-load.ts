import { expect } from 'chai';
import type { Redis } from 'ioredis';
import type { OutboundPipeline } from '../../dispatcher/support/outbound-pipeline.ts';
import { type Received, type Receiver, startReceiver } from '../../dispatcher/support/receiver.ts';
import type { TestSource } from '../../support/ingress.ts';
import { until } from '../../support/until.ts';
import { type EventLoad, startEventLoad } from './event-load.ts';
import { countPending } from './published-verdict.ts';
import { brokenDeliveries, firstOfEach } from './received-verdict.ts';
import { report } from './report.ts';

/** Events that change all the time, and two receivers that hear of each change. One of them is ordered. */
export interface OutboundLoad {
  readonly source: TestSource;
  readonly load: EventLoad;
  readonly plain: Receiver;
  readonly ordered: Receiver;
  /** The subscriptions of both, in this order. */
  readonly subscriptions: readonly string[];
  /** While it is down, both receivers respond 500, and what they get does not count. */
  isDown: boolean;
  /** Both receivers respond once they are released. */
  holdResponses(): () => void;
  /** Resolves once both receivers are probed, because they are down. */
  probed(): Promise<void>;
  /** A receiver that is probed gets everything once a test is delivered. */
  healAll(): Promise<void>;
  /** Stops the load, and expects that each message was delivered, and in order where ordered. Returns their number. */
  expectDelivered(times: number): Promise<number>;
  stop(): Promise<void>;
}

/** How long receivers take to respond. */
const RESPONSE_MS = 5;
const QUIET_WITHIN_MS = 180_000;
const TEST_TEXT = '"type":"webhook.test","data":{}}';

/** Starts it on a pipeline, with an account of its own. */
export async function startOutboundLoad(pipeline: OutboundPipeline): Promise<OutboundLoad> {
  const [plain, ordered] = [await startReceiver(), await startReceiver()];
  const source = await pipeline.addSource({ plan: 'unlimited' });
  const { accountId } = source;
  const subscriptions: string[] = [];
  for (const receiver of [plain, ordered]) {
    const body = { target_url: receiver.url, events: ['*'], ordered: receiver === ordered };
    subscriptions.push((await pipeline.subscribe(accountId, body)).subscription.subscription_id);
  }
  await Promise.all(pipeline.workers.map((worker) => worker.ready()));
  const load = startEventLoad(source, () => pipeline.urls[0] as string);
  const held: (() => void)[] = [];
  let holds = false;

  for (const receiver of [plain, ordered])
    receiver.answer = (one, response) => {
      if (outbound.isDown) {
        receiver.received.splice(receiver.received.indexOf(one), 1);
        response.writeHead(500).end();
      } else if (holds) held.push(() => response.end());
      else setTimeout(() => response.end(), RESPONSE_MS);
    };

  /** Resolves once everything is published and delivered. */
  async function quiet(): Promise<void> {
    await load.stop();
    await pipeline.logged(source, load.accepted());
    // What is published after a look at what waits would be missed by it.
    const over = async () => {
      if ((await countPending(pipeline.store)) > 0) return false;
      // A batch that a killed worker left open hides what is behind it for 10 s.
      if ((await pipeline.openBatches(accountId)) > 0) return false;
      const all = await pipeline.outbox.status(accountId, subscriptions);
      return all.length === subscriptions.length && all.every(({ waiting }) => waiting === 0);
    };
    // On a busy machine a command may time out.
    const what = 'all messages are delivered';
    await until(() => over().catch(() => false), { withinMs: QUIET_WITHIN_MS, what });
  }

  const outbound: OutboundLoad = {
    source,
    load,
    plain,
    ordered,
    subscriptions,
    isDown: false,
    holdResponses() {
      holds = true;
      return () => {
        holds = false;
        for (const respond of held.splice(0)) respond();
      };
    },
    probed() {
      const status = () => pipeline.outbox.status(accountId, subscriptions);
      const probed = async () => (await status()).every(({ state }) => state.probing);
      return until(probed, { what: 'both receivers are probed' });
    },
    async healAll() {
      for (const id of subscriptions) {
        const test = {
          changeId: `test_${id}`,
          messageId: `msg_test_${id}`,
          recordId: 'test',
          text: TEST_TEXT,
        };
        const isPushed = () =>
          pipeline.outbox.pushTest(accountId, id, test).then(
            ({ status }) => status === 'pushed',
            () => false,
          );
        await until(isPushed, { what: 'a test is pushed' });
      }
    },
    async expectDelivered(times) {
      await quiet();
      const events = await pipeline.events(source);
      const [unordered, inOrder] = [plain.received.filter(isNoTest), ordered.received.filter(isNoTest)];
      const [first, second] = subscriptions as [string, string];
      const violations = [
        ...brokenDeliveries(unordered, events, { ordered: false }),
        ...brokenDeliveries(inOrder, events, { ordered: true }),
        ...(await unlogged(pipeline.store, first, unordered)),
        ...(await unlogged(pipeline.store, second, inOrder)),
      ];
      const all = [...unordered, ...inOrder];
      const messages = firstOfEach(all).length;
      const repeated = all.length - messages;
      report(`${messages} messages, ${violations.length} violations, ${repeated} repeated`, times);
      expect(violations).to.deep.equal([]);
      return messages;
    },
    async stop() {
      await load.stop();
      await Promise.all([plain.close(), ordered.close()]);
    },
  };
  return outbound;
}

/** SIGKILL: another dispatcher starts after it. SIGTERM: another dispatcher starts before it. */
export async function replaceDispatcher(
  pipeline: OutboundPipeline,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<void> {
  const [old] = pipeline.dispatchers.splice(0, 1);
  if (signal === 'SIGTERM') await pipeline.addDispatcher();
  await old?.kill(signal);
  if (signal === 'SIGKILL') await pipeline.addDispatcher();
}

/** Limits the memory of Redis to what it uses now. */
export async function limitMemory(redis: Redis): Promise<void> {
  const used = Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
  await redis.config('SET', 'maxmemory', used);
}

/** Messages that a receiver got and the log does not call delivered: they were acknowledged before they were logged. */
async function unlogged(
  { webhookMessages }: OutboundPipeline['store'],
  subscriptionId: string,
  received: readonly Received[],
): Promise<string[]> {
  const ids = [...new Set(received.map(({ id }) => id))];
  const logged = await webhookMessages.findMessages(subscriptionId, ids);
  return ids.filter((id) => logged.get(id)?.status !== 'delivered').map((id) => `${id}: not in the log`);
}

const isNoTest = ({ type }: Received): boolean => type !== 'webhook.test';
