import { setTimeout as sleep } from 'node:timers/promises';
import type { TestSource } from '../../support/ingress.ts';
import { send } from '../../support/post.ts';
import { signed, upsertBody } from '../../support/signed.ts';
import { sized } from '../../support/size.ts';

/** Changes of a few events, one request after the other with each sender. A request without a 200 is repeated. */
export interface EventLoad {
  readonly accepted: () => number;
  /** The titles of the events that were accepted. */
  readonly titles: ReadonlySet<string>;
  /** Resolves once this many further requests are accepted. */
  more(count: number): Promise<void>;
  /** Sets how long each sender waits after a request. Milliseconds. Without a number as at the start. */
  pace(ms?: number): void;
  /** Resolves once no request is under way. */
  stop(): Promise<void>;
}

const EVENTS = 20;
const SENDERS = 4;
const RETRY_MS = 30;
/** In the short form it sends some 50 requests a second: what Sluice does with them is half of the CPU time of these tests. */
const PAUSE_MS = sized({ short: 40, middle: 0 });

export function startEventLoad(source: TestSource, url: () => string): EventLoad {
  let [accepted, price, running, paceMs] = [0, 0, true, PAUSE_MS];
  const titles = new Set<string>();
  const waiting: { until: number; resolve: () => void }[] = [];

  async function sendAll(sender: number): Promise<void> {
    while (running) {
      price += 1;
      // Each event has one sender, so that its changes have an order.
      const title = `Event ${sender + SENDERS * (price % (EVENTS / SENDERS))}`;
      const body = upsertBody({ title, price: String(price) });
      for (let done = false; !done; ) {
        const request = signed({ secret: source.secret, body });
        const answer = await send(url() + source.path, request).catch(() => undefined);
        done = answer?.status === 200;
        if (!done) await sleep(RETRY_MS);
      }
      accepted += 1;
      titles.add(title);
      for (const { until, resolve } of waiting) if (accepted >= until) resolve();
      if (paceMs > 0) await sleep(paceMs);
    }
  }
  const sending = Promise.all(Array.from({ length: SENDERS }, (_, sender) => sendAll(sender)));
  return {
    accepted: () => accepted,
    titles,
    more: (count) => new Promise((resolve) => waiting.push({ until: accepted + count, resolve })),
    pace: (ms = PAUSE_MS) => {
      paceMs = ms;
    },
    async stop() {
      running = false;
      await sending;
    },
  };
}
