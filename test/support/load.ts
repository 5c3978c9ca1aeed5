import type { TestSource } from './ingress.ts';
import { type Answer, post, postUntilTaken } from './post.ts';
import { type SignedRequest, signed } from './signed.ts';

/** The price is the number of the action. It is visible in an event only after an upsert. */
export interface ActionBody {
  readonly action: 'upsert' | 'cancel' | 'delete';
  readonly event: { readonly title: string; readonly starts_at: string; readonly price: string };
}

/** One try to send an action. Times are milliseconds of `performance.now()`. */
export interface Try {
  /** The number of the action. Tries of the same request share it. */
  readonly n: number;
  /** Sent before, byte for byte, and rejected because of Redis or never answered. */
  readonly again: boolean;
  readonly sentAt: number;
  readonly endedAt: number;
  /** undefined: the connection broke, so the outcome is unknown. */
  readonly answer: Answer | undefined;
}

/** A request that was sent. */
export interface Sent extends Try {
  readonly request: SignedRequest;
}

export interface SendSettings {
  /** Base URLs; requests alternate between them. */
  readonly urls: readonly string[];
  readonly source: Pick<TestSource, 'path' | 'secret'>;
  readonly bodies: Iterable<ActionBody>;
  /** The number of concurrent requests. */
  readonly concurrency: number;
  /**
   * Whether a request that got a 503 is sent again, byte for byte, after its Retry-After, until it gets another status.
   */
  readonly again?: boolean;
  /** Called after each response with the number of responses so far. */
  readonly onAnswer?: (count: number) => void;
}

/** Sends every body once, signed. Resolves when all are answered or their connections have broken. */
export async function sendAll({
  urls,
  source,
  bodies,
  concurrency,
  again = false,
  onAnswer,
}: SendSettings): Promise<Sent[]> {
  const sent: Sent[] = [];
  const iterator = bodies[Symbol.iterator]();
  const sender = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      const body = next.value;
      const request = signed({ secret: source.secret, body });
      const url = urls[sent.length % urls.length] + source.path;
      const sentAt = performance.now();
      const answer = await (again ? postUntilTaken : post)(url, request).catch(() => undefined);
      const n = Number(body.event.price);
      // With its retries it is one try: its number was assigned between the first byte and the last response.
      sent.push({ n, again: false, sentAt, endedAt: performance.now(), answer, request });
      onAnswer?.(sent.length);
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

/** A random action on one of a few events, so that actions meet. */
export function randomAction(n: number, random: () => number, events: number): ActionBody {
  const title = `Event ${Math.floor(random() * events)}`;
  const event = { title, starts_at: '2027-03-01T10:00:00Z', price: `${n}` };
  const kind = random();
  if (kind < 0.7) return { action: 'upsert', event };
  return { action: kind < 0.85 ? 'cancel' : 'delete', event };
}

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
  for (let i = 0; i < count; i++) yield randomAction(i, random, events);
}
