import {
  type OutboundPipeline,
  type OutboundSettings,
  startOutboundPipeline,
} from '../../dispatcher/support/outbound-pipeline.ts';
import { type Received, type Receiver, startReceiver } from '../../dispatcher/support/receiver.ts';
import type { TestSource } from '../../support/ingress.ts';
import { until } from '../../support/until.ts';
import { type EventLoad, startEventLoad } from './event-load.ts';
import { countPending } from './published-verdict.ts';
import { brokenDeliveries, firstOfEach } from './received-verdict.ts';

/** Events that change all the time, and two receivers that hear of each change. One of them is ordered. */
export interface OutboundLoad {
  readonly pipeline: OutboundPipeline;
  readonly source: TestSource;
  readonly load: EventLoad;
  readonly plain: Receiver;
  readonly ordered: Receiver;
  /** The subscriptions of both, in this order. */
  readonly subscriptions: readonly string[];
  /** SIGKILL: another dispatcher starts after it. SIGTERM: another dispatcher starts before it. */
  replaceDispatcher(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Stops the load. Resolves once everything is published and delivered. */
  quiet(): Promise<void>;
  /** Compares the messages of both receivers with the events. */
  verdict(): Promise<OutboundVerdict>;
  stop(): Promise<void>;
}

export interface OutboundVerdict {
  readonly violations: readonly string[];
  readonly messages: number;
  /** Requests beyond the first of each message. */
  readonly repeated: number;
}

const QUIET_WITHIN_MS = 180_000;

export async function startOutboundLoad(settings: OutboundSettings = {}): Promise<OutboundLoad> {
  const pipeline = await startOutboundPipeline({ ingress: 1, workers: 2, dispatchers: 2, ...settings });
  const [plain, ordered] = [await startReceiver(), await startReceiver()];
  const source = await pipeline.addSource({ plan: 'unlimited' });
  const subscriptions: string[] = [];
  for (const receiver of [plain, ordered]) {
    const body = { target_url: receiver.url, events: ['*'], ordered: receiver === ordered };
    const { subscription } = await pipeline.subscribe(source.accountId, body);
    subscriptions.push(subscription.subscription_id);
  }
  await Promise.all(pipeline.workers.map((worker) => worker.ready()));
  const load = startEventLoad(source, () => pipeline.urls[0] as string);
  return {
    ...{ pipeline, source, load, plain, ordered, subscriptions },
    async replaceDispatcher(signal) {
      const [old] = pipeline.dispatchers;
      if (signal === 'SIGTERM') await pipeline.addDispatcher();
      await old?.kill(signal);
      pipeline.dispatchers.splice(0, 1);
      if (signal === 'SIGKILL') await pipeline.addDispatcher();
    },
    async quiet() {
      await load.stop();
      await pipeline.logged(source, load.accepted());
      const over = async () => {
        const boxes = await pipeline.mailboxes.status(source.accountId, subscriptions);
        return boxes.every(({ waiting }) => waiting === 0) && (await countPending(pipeline.store)) === 0;
      };
      // On a busy machine a command may time out.
      const what = 'all messages are delivered';
      await until(() => over().catch(() => false), { withinMs: QUIET_WITHIN_MS, what });
    },
    async verdict() {
      const events = await pipeline.events(source);
      const unordered = plain.received.filter(isNoTest);
      const inOrder = ordered.received.filter(isNoTest);
      const [first, second] = subscriptions as [string, string];
      const violations = [
        ...brokenDeliveries(unordered, events, { ordered: false }),
        ...brokenDeliveries(inOrder, events, { ordered: true }),
        ...(await unlogged(pipeline.store, first, unordered)),
        ...(await unlogged(pipeline.store, second, inOrder)),
      ];
      const all = [...unordered, ...inOrder];
      const messages = firstOfEach(all).length;
      return { violations, messages, repeated: all.length - messages };
    },
    async stop() {
      await load.stop();
      await pipeline.stop();
      await Promise.all([plain.close(), ordered.close()]);
    },
  };
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
