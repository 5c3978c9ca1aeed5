import { performance } from 'node:perf_hooks';
import { messageBody } from '@sluice/contract/outbound-text';
import { isStreamUrl } from '@sluice/contract/stream-url';
import type { PublishedSubscription } from '@sluice/mailboxes/published-subscription';
import type { Streams } from '@sluice/mailboxes/streams';
import type { TakenEntry } from '@sluice/mailboxes/turn';
import type { Dispatcher } from 'undici';
import type { Answer } from '../judge/judge-response.ts';
import type { Lease } from './lease.ts';
import type { SigningKeys } from './secrets.ts';
import { send } from './send.ts';
import { signatures } from './sign.ts';

export interface DeliverDeps {
  readonly agent: Dispatcher;
  readonly signingKeys: SigningKeys;
  readonly streams: Pick<Streams, 'append'>;
  /** How many connections to an origin were opened so far. */
  readonly openedTo: (origin: string) => number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly userAgent: string;
}

export type Delivered =
  | {
      readonly outcome: 'attempted';
      readonly answer: Answer;
      readonly at: number;
      readonly durationMs: number;
    }
  /** The subscription may not be delivered to any more. Nothing was sent. */
  | { readonly outcome: 'stopped' }
  /** No key of this installation opens its secrets. Nothing was sent. */
  | { readonly outcome: 'no_secret' };

export type Deliver = (
  subscription: PublishedSubscription,
  entry: TakenEntry & { readonly text: string },
  lease: Lease,
) => Promise<Delivered>;

/**
 * A slow connection may outlast a lease, and so may the wait for one to a busy host. Then another lease is asked for, and the open
 * connection is used.
 */
const MOST_LEASES = 5;

/** Sends one message once. */
export function createDeliver({
  agent,
  signingKeys,
  streams,
  openedTo,
  now,
  userAgent,
}: DeliverDeps): Deliver {
  return async (subscription, entry, lease) => {
    const keys = signingKeys(subscription, now());
    if (keys.length === 0) return { outcome: 'no_secret' };
    const { account_id, subscription_id, target_url } = subscription;
    const url = new URL(target_url);
    const text = messageBody(entry.messageId, entry.text);
    // Signed and sent as the same bytes.
    const body = Buffer.from(text);
    const began = performance.now();
    const at = now();
    let repeated = false;
    for (let leases = 0; leases < MOST_LEASES; leases++) {
      if (!(await lease.hold())) return { outcome: 'stopped' };
      const timestamp = Math.floor(now() / 1000);
      const headers = {
        'content-type': 'application/json',
        'user-agent': userAgent,
        'webhook-id': entry.messageId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatures(keys, { messageId: entry.messageId, timestamp, body }),
        ...((entry.redelivery || entry.recovered) && { 'webhook-redelivery': '1' }),
        ...(entry.kind === 'webhook.test' && { 'webhook-test': '1' }),
      };
      if (isStreamUrl(target_url)) {
        // The script looks at the subscription itself, so a late append hands nothing to a reader who may not have it.
        const appended = await streams.append(account_id, subscription_id, { headers, body: text });
        if (appended === 'stopped') return { outcome: 'stopped' };
        const durationMs = Math.round(performance.now() - began);
        return { outcome: 'attempted', answer: { kind: 'streamed' }, at, durationMs };
      }
      const opened = openedTo(url.origin);
      const answer = await send(agent, { url, headers, body, leaseUntil: lease.until });
      if (answer.kind === 'too_late') continue;
      // A kept-alive connection may close at the moment of its next use. The message has the same id, so it is sent once more.
      const wasKept = openedTo(url.origin) === opened;
      if (!repeated && wasKept && answer.kind === 'error' && answer.code === 'connection_closed') {
        repeated = true;
        continue;
      }
      return { outcome: 'attempted', answer, at, durationMs: Math.round(performance.now() - began) };
    }
    return {
      outcome: 'attempted',
      answer: { kind: 'error', code: 'no_connection' },
      at,
      durationMs: Math.round(performance.now() - began),
    };
  };
}
