import { performance } from 'node:perf_hooks';
import { messageBody } from '@sluice/contract/message/outbound-text';
import { isStreamUrl } from '@sluice/contract/subscription/stream-url';
import { LOOKUP_MS } from '@sluice/egress/resolve';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import type { Streams } from '@sluice/outbound/queue/streams';
import type { TakenEntry } from '@sluice/outbound/queue/turn';
import { signatures } from '@sluice/signature/standard-webhooks';
import type { Dispatcher } from 'undici';
import type { Answer } from '../judge/judge-response.ts';
import type { Lease } from './lease.ts';
import type { OriginSlots } from './origin-slots.ts';
import type { ReadText } from './read-text.ts';
import type { SigningKeys } from './secrets.ts';
import { CONNECT_MS, send, WHOLE_MS } from './send.ts';

export interface DeliverDeps {
  readonly agent: Dispatcher;
  readonly signingKeys: SigningKeys;
  readonly streams: Pick<Streams, 'append'>;
  readonly slots: OriginSlots;
  readonly readText: ReadText;
  /** How many connections to an origin were opened so far. */
  readonly openedTo: (origin: string) => number;
  /** Whether the dispatcher stops: no further request is begun. */
  readonly stopping: () => boolean;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly userAgent: string;
  /** An older text is read again before it is sent, because it may have been erased. Milliseconds. */
  readonly freshMs?: number;
  /** The longest attempt. Milliseconds. */
  readonly wholeMs?: number;
}

export type Delivered =
  | {
      readonly outcome: 'attempted';
      readonly answer: Answer;
      readonly at: number;
      readonly durationMs: number;
    }
  /** It may not be sent now. Nothing was sent, and it goes back. */
  | { readonly outcome: 'stopped' }
  /** Its text was erased, or has expired. Nothing was sent. */
  | { readonly outcome: 'no_text' };

/** A message to send. */
export type Sendable = TakenEntry & { readonly text: string };

export type Deliver = (
  subscription: PublishedSubscription,
  entry: Sendable,
  lease: Lease,
) => Promise<Delivered>;

/** How long a message waits for one of the connections to a busy host. Milliseconds. */
const SLOT_MS = 15_000;
const FRESH_MS = 1000;
/** Leases of one attempt. Redis may be slow to give another one. */
const MOST_LEASES = 5;
/** If a lease was lost after this, the message goes back, so that its text is read again. Milliseconds. */
const MOST_WAIT_MS = 2000;
/** With less time left nothing is sent once more: it would often end without a connection. Milliseconds. */
const REPEAT_MS = LOOKUP_MS + CONNECT_MS + 1000;

/** Sends one message once. Never rejects because of a receiver. */
export function createDeliver(deps: DeliverDeps): Deliver {
  return async (subscription, entry, lease) => {
    if (isStreamUrl(subscription.target_url)) return stream(deps, subscription, entry, lease);
    const url = new URL(subscription.target_url);
    const asked = performance.now();
    const at = deps.now();
    if (!(await deps.slots.take(url.origin, SLOT_MS)))
      return attempted({ kind: 'error', code: 'no_connection' }, { at, began: asked });
    try {
      if (deps.stopping()) return { outcome: 'stopped' };
      const isFresh = performance.now() - entry.readAt < (deps.freshMs ?? FRESH_MS);
      const current = isFresh ? entry : await readAgain(deps, entry);
      return 'outcome' in current ? current : await post(deps, { subscription, entry: current, url }, lease);
    } finally {
      deps.slots.leave(url.origin);
    }
  };
}

/** A test tells of no record, so it is never erased. */
async function readAgain({ readText }: DeliverDeps, entry: Sendable): Promise<Sendable | Delivered> {
  if (entry.kind === 'webhook.test') return entry;
  const readAt = performance.now();
  try {
    const text = await readText(entry.changeId);
    return text === undefined ? { outcome: 'no_text' } : { ...entry, text, readAt };
  } catch {
    // MongoDB is away. The others of its turn must not fail with it.
    return { outcome: 'stopped' };
  }
}

interface Posting {
  readonly subscription: PublishedSubscription;
  readonly entry: Sendable;
  readonly url: URL;
}

/** The whole attempt ends within its time, whatever it is repeated for. */
async function post(
  deps: DeliverDeps,
  { subscription, entry, url }: Posting,
  lease: Lease,
): Promise<Delivered> {
  const began = performance.now();
  const at = deps.now();
  const leftMs = () => (deps.wholeMs ?? WHOLE_MS) - (performance.now() - began);
  // Signed and sent as the same bytes.
  const body = Buffer.from(messageBody(entry.messageId, entry.text));
  let repeated = false;
  for (let leases = 0; leases < MOST_LEASES; leases++) {
    if (!(await lease.hold())) return { outcome: 'stopped' };
    const headers = headersOf(deps, subscription, entry, body);
    if (headers === undefined) return attempted({ kind: 'error', code: 'no_secret' }, { at, began });
    const opened = deps.openedTo(url.origin);
    const answer = await send(deps.agent, {
      ...{ url, headers, body, leaseUntil: lease.until, whileConnecting: lease.refresh },
      wholeMs: leftMs(),
    });
    if (answer.kind === 'too_late') {
      if (performance.now() - began > MOST_WAIT_MS) break;
      continue;
    }
    // A kept-alive connection may close at the moment of its next use. The message has the same id, so it is sent once more.
    const wasKept = deps.openedTo(url.origin) === opened;
    const isClosed = answer.kind === 'error' && answer.code === 'connection_closed';
    if (repeated || !wasKept || !isClosed || leftMs() < REPEAT_MS) return attempted(answer, { at, began });
    repeated = true;
  }
  return { outcome: 'stopped' };
}

/** The script looks at the subscription itself, so a late append hands nothing to a reader who may not have it. */
async function stream(
  deps: DeliverDeps,
  subscription: PublishedSubscription,
  entry: Sendable,
  lease: Lease,
): Promise<Delivered> {
  const { account_id, subscription_id } = subscription;
  const began = performance.now();
  const at = deps.now();
  if (!(await lease.hold())) return { outcome: 'stopped' };
  const body = messageBody(entry.messageId, entry.text);
  const headers = headersOf(deps, subscription, entry, Buffer.from(body));
  if (headers === undefined) return attempted({ kind: 'error', code: 'no_secret' }, { at, began });
  const appended = await deps.streams.append(account_id, subscription_id, { headers, body });
  if (appended === 'stopped') return { outcome: 'stopped' };
  const answer: Answer =
    appended === 'full' ? { kind: 'error', code: 'no_connection' } : { kind: 'streamed' };
  return attempted(answer, { at, began });
}

/** Undefined: no key of this installation opens a secret of the subscription. */
function headersOf(
  { signingKeys, now, userAgent }: DeliverDeps,
  subscription: PublishedSubscription,
  { messageId, kind, redelivery, recovered }: Sendable,
  body: Buffer,
): Record<string, string> | undefined {
  const at = now();
  const keys = signingKeys(subscription, at);
  if (keys.length === 0) return undefined;
  const timestamp = Math.floor(at / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(keys, { messageId, timestamp, body }),
    ...((redelivery || recovered) && { 'webhook-redelivery': '1' }),
    ...(kind === 'webhook.test' && { 'webhook-test': '1' }),
  };
}

function attempted(
  answer: Answer,
  { at, began }: { readonly at: number; readonly began: number },
): Delivered {
  return { outcome: 'attempted', answer, at, durationMs: Math.round(performance.now() - began) };
}
