import { type ActionResult, readResults } from '@sluice/contract/delivery/action-result';
import { refusalIn } from '@sluice/redis/connection/redis-refusal';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Redis } from 'ioredis';

/** A request whose result is awaited. */
export interface Expected {
  /** The id of this ingress, for the job of the request. */
  readonly to: string;
  /** Resolves to the result, or to undefined after `ms` or once the ingress stops. Call it once. */
  within(ms: number): Promise<ActionResult | undefined>;
  /** Stops to expect it. */
  cancel(): void;
}

/** Receives the results of requests from the workers that apply them. */
export interface Results {
  /** Expects the result of a request that has `bytes`. Undefined if no result can come, or too many requests wait. */
  expect(requestId: string, bytes: number): Expected | undefined;
  /** Ends all waits, and begins no other. */
  close(): void;
}

export interface ResultsDeps {
  /** A connection for this alone: one that subscribes can send no other command. */
  readonly subscriber: Redis;
  readonly keyspace: Pick<Keyspace, 'results'>;
  /** The id of this process. */
  readonly ingressId: string;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** How often the subscription is confirmed. Default: 5 s. */
  readonly confirmEveryMs?: number;
}

/** Each waiting request keeps its connection and its body in memory. */
const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

interface Waiting {
  settle: (told: ActionResult | undefined) => void;
  readonly bytes: number;
}

/** A subscription that Redis has not responded to. `waited`: the number of confirmations that have seen it since. */
interface Subscription {
  waited: number;
}

/** How soon a rejected subscription is retried. Milliseconds. */
const SUBSCRIBE_AGAIN_MS = 250;

const CONFIRM_EVERY_MS = 5_000;

/** The most confirmations that wait for one response. */
const MOST_PATIENCE = 8;

/** Subscribes whenever Redis is there. What was published while it was away is lost. */
export function createResults({
  subscriber,
  keyspace,
  ingressId,
  logger,
  confirmEveryMs = CONFIRM_EVERY_MS,
}: ResultsDeps): Results {
  const waiting = new Map<string, Waiting>();
  const log = createSubscriptionLog(logger);
  let bytesWaiting = 0;
  let open = false;
  let closed = false;
  let asked: Subscription | undefined;
  let retrying: NodeJS.Timeout | undefined;
  let patience = 1;

  const subscribe = (waited: number): void => {
    if (closed || asked !== undefined || retrying !== undefined || subscriber.status !== 'ready') return;
    const own: Subscription = { waited };
    asked = own;
    subscriber.subscribe(keyspace.results(ingressId)).then(
      () => {
        if (asked !== own) return;
        asked = undefined;
        open = !closed;
        patience = 1;
        log.accepted();
      },
      // Redis rejects it, or has gone. After its return `ready` comes again.
      (error: Error) => {
        if (asked !== own) return;
        asked = undefined;
        log.refused(error);
        retrying = setTimeout(() => {
          retrying = undefined;
          subscribe(0);
        }, SUBSCRIBE_AGAIN_MS).unref();
      },
    );
  };
  const forgetSubscription = (): void => {
    open = false;
    asked = undefined;
    clearTimeout(retrying);
    retrying = undefined;
  };
  /**
   * Subscribes again, which changes nothing, and connects again if a subscription has got no response for a whole interval. A Cluster
   * client sets no timeout on the connection that it subscribes on. After its server has vanished that stays silent for hours, and each
   * sender waits in vain. It does not show when that connection is open. So each new one without a response gets twice the time, or one
   * that takes longer than an interval would be cut each time.
   */
  const confirm = (): void => {
    if (asked === undefined) subscribe(1);
    else if (asked.waited < patience) asked.waited += 1;
    else if (subscriber.status === 'ready') {
      patience = Math.min(patience * 2, MOST_PATIENCE);
      forgetSubscription();
      subscriber.disconnect(true);
    }
  };
  const confirming = setInterval(confirm, confirmEveryMs).unref();
  subscriber.on('ready', () => subscribe(0)).on('close', forgetSubscription);
  subscribe(0);
  subscriber.on('message', (_channel: string, text: string) => {
    for (const result of readResults(text)) waiting.get(result.request_id)?.settle(result);
  });

  function forget(requestId: string): void {
    bytesWaiting -= waiting.get(requestId)?.bytes ?? 0;
    waiting.delete(requestId);
  }

  return {
    expect(requestId, bytes) {
      if (!open || subscriber.status !== 'ready') return undefined;
      if (waiting.size >= MAX_WAITING || bytesWaiting + bytes > MAX_WAITING_BYTES) return undefined;
      let told: ActionResult | undefined;
      const one: Waiting = {
        settle(result) {
          told = result;
        },
        bytes,
      };
      waiting.set(requestId, one);
      bytesWaiting += bytes;
      return {
        to: ingressId,
        within: (ms) =>
          new Promise((resolve) => {
            const end = (result: ActionResult | undefined): void => {
              clearTimeout(timer);
              forget(requestId);
              resolve(result);
            };
            const timer = setTimeout(() => end(undefined), ms);
            one.settle = end;
            if (told !== undefined || !open) end(told);
          }),
        cancel: () => forget(requestId),
      };
    },
    close() {
      closed = true;
      forgetSubscription();
      clearInterval(confirming);
      for (const one of waiting.values()) one.settle(undefined);
    },
  };
}

/** Expects nothing. */
export const NO_RESULTS: Results = { expect: () => undefined, close: () => undefined };

/** Logs whether Redis accepts the subscription to results. */
export interface SubscriptionLog {
  refused(error: Error): void;
  accepted(): void;
}

/** One line for each reason. A connection that has gone is no rejection, and has its own line. */
function createSubscriptionLog(logger: Pick<Logger, 'warn' | 'info'>): SubscriptionLog {
  let refusedFor: string | undefined;
  return {
    refused({ name, message }) {
      if (name !== 'ReplyError' || message === refusedFor) return;
      refusedFor = message;
      logger.warn(
        { event: 'results.refused', reason: message, advice: refusalIn(message)?.advice },
        'Redis rejects the subscription to results: no sender gets the result of its request',
      );
    },
    accepted() {
      if (refusedFor === undefined) return;
      refusedFor = undefined;
      logger.info({ event: 'results.accepted' }, 'Redis accepts the subscription to results again');
    },
  };
}
