import { atTheEnd } from '../../support/at-the-end.ts';
import type { TestSource } from '../../support/ingress.ts';
import { randomAction, seededRandom, type Try } from '../../support/load.ts';
import { post } from '../../support/post.ts';
import { type SignedRequest, signed } from '../../support/signed.ts';
import { seed, sized } from '../../support/size.ts';

export interface LoadSettings {
  /** Base URLs; requests alternate between them. May change while the load runs. */
  readonly urls: readonly string[];
  readonly source: Pick<TestSource, 'path' | 'secret'>;
  /** Default: 60 requests a second; 100 and 150 in the longer forms. */
  readonly perSecond?: number;
  /** The number of events that the actions refer to: few, so that actions meet. */
  readonly events?: number;
  /** Whether senders retry once, a little later, after a 503 or no response. */
  readonly retry?: boolean;
  /** Added to the seed, so that tests of one run differ. */
  readonly salt?: number;
}

export interface Load {
  /** The tries that have ended so far. */
  readonly tries: readonly Try[];
  /** Resolves once `more` further requests have been sent: a period measured in requests. */
  sent(more: number): Promise<void>;
  /** Sends nothing new. Resolves with every try once the last has ended. */
  stop(): Promise<readonly Try[]>;
}

/** Bounds what a hanging service can pile up here. Requests beyond it are skipped, not queued. */
const MOST_UNDER_WAY = 300;
/** Requests due in the same tick are sent together, so that batches form. */
const TICK_MS = 50;
const RETRY_AFTER_REQUESTS = 30;

/** An open loop: requests go out at their rate, independent of earlier responses. */
export function startLoad({
  urls,
  source,
  perSecond = sized({ short: 60, middle: 100, long: 150 }),
  events = 40,
  retry = true,
  salt = 0,
}: LoadSettings): Load {
  const random = seededRandom(seed + salt);
  const tries: Try[] = [];
  const underWay = new Set<Promise<void>>();
  const waiting = new Set<{ readonly at: number; readonly resolve: () => void }>();
  const startedAt = performance.now();
  let due = 0;
  let sent = 0;
  let stopped = false;
  let broken: unknown;

  async function attempt(n: number, request: SignedRequest, again: boolean): Promise<Try> {
    const sentAt = performance.now();
    const answer = await post(urls[n % urls.length] + source.path, request).catch(unlessBroken);
    const ended = { n, again, sentAt, endedAt: performance.now(), answer };
    tries.push(ended);
    return ended;
  }

  async function request(n: number): Promise<void> {
    const signedRequest = signed({ secret: source.secret, body: randomAction(n, random, events) });
    const { answer } = await attempt(n, signedRequest, false);
    if (!retry || (answer !== undefined && answer.status !== 503)) return;
    await reached(sent + RETRY_AFTER_REQUESTS);
    await attempt(n, signedRequest, true);
  }

  function send(): void {
    const one = request(sent++)
      .catch((error) => {
        broken ??= error;
      })
      .finally(() => underWay.delete(one));
    underWay.add(one);
  }

  function reached(at: number): Promise<void> {
    if (stopped) return Promise.resolve();
    return new Promise((resolve) => void waiting.add({ at, resolve }));
  }

  function wake(): void {
    for (const one of waiting) {
      if (!stopped && one.at > sent) continue;
      waiting.delete(one);
      one.resolve();
    }
  }

  const timer = setInterval(() => {
    const now = Math.floor(((performance.now() - startedAt) * perSecond) / 1000);
    for (; due < now; due++) if (underWay.size < MOST_UNDER_WAY) send();
    wake();
  }, TICK_MS);

  async function end(): Promise<void> {
    clearInterval(timer);
    stopped = true;
    wake();
    while (underWay.size > 0) await Promise.all(underWay);
  }
  // A test that fails early does not reach its stop.
  atTheEnd(end);

  return {
    tries,
    sent: (more) => reached(sent + more),
    async stop() {
      await end();
      if (broken !== undefined) throw broken;
      return tries;
    },
  };
}

/** A broken connection leaves the outcome open. Any other error is a wrong response. */
function unlessBroken(error: unknown): undefined {
  if (error instanceof TypeError) return;
  throw error;
}
