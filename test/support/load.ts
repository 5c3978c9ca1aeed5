import { setTimeout as sleep } from 'node:timers/promises';
import type { TestSource } from './ingress.ts';
import { type Answer, post, postUntilTaken } from './post.ts';
import { type SignedRequest, signed } from './signed.ts';
import { sized } from './size.ts';

export interface ActionBody {
  readonly action: 'upsert' | 'cancel' | 'delete';
  readonly event: { readonly title: string; readonly starts_at: string; readonly price?: string };
}

/** A request that was sent, with its response, or without one if the connection broke. */
export interface Sent {
  readonly body: ActionBody;
  readonly request: SignedRequest;
  readonly answer: Answer | undefined;
}

export interface LoadSettings {
  /** Base URLs; requests alternate between them. May grow while the load runs. */
  readonly urls: readonly string[];
  readonly source: Pick<TestSource, 'path' | 'secret'>;
  readonly bodies: Iterable<ActionBody>;
  /** The number of concurrent requests. */
  readonly concurrency: number;
  /** How long each sender waits after a response. Default: 0. */
  readonly pauseMs?: number;
  /**
   * Whether a request that got a 503 is sent again, byte for byte, after its Retry-After, until it gets another status.
   */
  readonly again?: boolean;
  /** Called after each response with the number of responses so far. */
  readonly onAnswer?: (count: number) => void;
  /** Called after each response with the request and its start time (milliseconds since the Unix epoch). */
  readonly onAnswered?: (sent: Sent, startedAt: number) => void;
}

/** For loads that continue until an event: four senders send some 250 requests a second in the short size. */
export const PAUSE_MS = sized({ short: 10, middle: 0 });

/** Sends every body once, signed. Resolves when all are answered or their connections have broken. */
export async function sendAll({
  urls,
  source,
  bodies,
  concurrency,
  pauseMs = 0,
  again = false,
  onAnswer,
  onAnswered,
}: LoadSettings): Promise<Sent[]> {
  const sent: Sent[] = [];
  const iterator = bodies[Symbol.iterator]();
  const sender = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      const body = next.value;
      const request = signed({ secret: source.secret, body });
      const url = urls[sent.length % urls.length] + source.path;
      // `undefined` means that the outcome is unknown because the connection broke.
      const startedAt = Date.now();
      const answer = await (again ? postUntilTaken : post)(url, request).catch(() => undefined);
      sent.push({ body, request, answer });
      onAnswer?.(sent.length);
      onAnswered?.(sent.at(-1) as Sent, startedAt);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sender));
  return sent;
}

/** A small seeded generator (mulberry32), so that a failing run can be repeated. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Random actions on a few events, so that actions meet. The price identifies each upsert. */
export function* randomActions({
  count,
  events,
  seed,
}: {
  count: number;
  events: number;
  seed: number;
}): Generator<ActionBody> {
  const random = seededRandom(seed);
  for (let i = 0; i < count; i++) {
    const event = { title: `Event ${Math.floor(random() * events)}`, starts_at: '2027-03-01T10:00:00Z' };
    const kind = random();
    if (kind < 0.7) yield { action: 'upsert', event: { ...event, price: `${i}` } };
    else yield { action: kind < 0.85 ? 'cancel' : 'delete', event };
  }
}
