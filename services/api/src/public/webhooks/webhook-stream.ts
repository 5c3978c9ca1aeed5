import { isStreamUrl } from '@sluice/contract/subscription/stream-url';
import { streamedMessage } from '@sluice/contract/subscription/webhook-stream';
import { readPlace, type StreamPlace, textOfPlace } from '@sluice/outbound/queue/streams';
import { renewStream } from '@sluice/outbound/subscriptions/create-stream';
import { findReached } from '@sluice/outbound/subscriptions/find-reached';
import { publishAgain } from '@sluice/outbound/subscriptions/publish-again';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import { isMongoAway } from '@sluice/store/connection/mongo-away';
import type { Request, Response } from 'express';
import { beginEvents, eventText, isGone, writeEvent } from '../../http/event-stream.ts';
import { refuse } from '../../http/result.ts';
import { sendRefusal } from '../../http/send.ts';
import type { RouteDeps } from '../../parts.ts';
import { authenticateKey } from '../layer/check-key.ts';
import { type PublicCall, publicRoute } from '../layer/declare-route.ts';
import { askedFor, BY_KEY, WEBHOOK_ID, WEBHOOK_ROUTE } from './webhook-route.ts';

interface StreamReader {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly apiKey: ApiKey;
  readonly request: Request;
  readonly response: Response;
  readonly after: StreamPlace;
}

/** Maximum delay until a new message is sent, and until an end is noticed. Milliseconds. */
const LOOK_EVERY_MS = 150;
/** The subscription ends 75 s after the last renewal, so one that fails does no harm. Milliseconds. */
const RENEW_EVERY_MS = 30_000;
/** Keeps proxies from closing an idle stream. Also ends a stream whose key lost access. Milliseconds. */
const HEARTBEAT_MS = 15_000;

/** Opens a stream of the messages of one subscription. It ends when its client, its key or its subscription has gone. */
async function openStream(deps: RouteDeps, reader: StreamReader): Promise<void> {
  const { request, response, subscriptionId, apiKey } = reader;
  if (isGone(request, response)) return;
  const place = deps.takeStreamPlace({ subscriptionId, keyId: apiKey.key_id });
  if ('outcome' in place) return sendRefusal(response, place);
  beginEvents(response);
  forward(deps, reader)
    .catch(deps.onStreamFailed)
    .finally(() => {
      place.leave();
      if (!response.destroyed) response.end();
    });
}

/** Reads and writes messages until the stream is over. Rejects if a store fails; the client then connects again. */
async function forward(deps: RouteDeps, reader: StreamReader): Promise<void> {
  const { accountId, subscriptionId, request, response } = reader;
  let place = reader.after;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let beatAt = deps.now();
  while (!deps.streamsEnd.signal.aborted && !isGone(request, response)) {
    if (deps.now() - renewedAt >= RENEW_EVERY_MS) {
      if (!(await renewStream(deps.subscriptionDeps, accountId, subscriptionId))) return;
      renewedAt = deps.now();
    }
    const read = await deps.streams.read(accountId, subscriptionId, place);
    if (read.status === 'stopped') return;
    if (read.status === 'absent') await publishAgain(deps.subscriptionDeps, accountId);
    const entries = read.status === 'open' ? read.entries : [];
    const isBeat = deps.now() - beatAt >= HEARTBEAT_MS;
    // Begins after the read, so that nothing is written for a key that had lost access by then.
    const access = entries.length > 0 || isBeat ? await accessOf(deps, reader) : 'unknown';
    if (access === 'gone') return;
    if (isBeat) {
      writeEvent(response, ': still here\n\n');
      beatAt = deps.now();
    }
    if (access === 'allowed') {
      for (const { id, number, series, missed, message } of entries) {
        place = { id, number, series };
        if (missed > 0) writeEvent(response, eventText('missed', { count: missed }));
        writeEvent(response, eventText('message', message, textOfPlace(place)));
      }
      if (entries.length > 0) continue;
    }
    await deps.subscriptionDeps.sleep(LOOK_EVERY_MS);
  }
}

/** Whether the key is still live. Messages wait while MongoDB is away. */
async function accessOf(
  deps: RouteDeps,
  { apiKey, request }: StreamReader,
): Promise<'allowed' | 'gone' | 'unknown'> {
  try {
    const checked = await authenticateKey(deps, request.get('authorization'));
    const same = checked.outcome === 'live' && checked.apiKey.key_id === apiKey.key_id;
    return same && checked.apiKey.scopes.includes('webhooks') ? 'allowed' : 'gone';
  } catch (error) {
    return isMongoAway(error) ? 'unknown' : 'gone';
  }
}

const NO_STREAM = refuse(
  'conflict',
  'The messages of this subscription go to its URL. Create a stream: POST /api/public/webhooks/streams.',
);

export const streamWebhook = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'GET',
  path: '/api/public/webhooks/:webhookId/stream',
  operationId: 'streamWebhookMessages',
  summary: 'Read the messages of a stream as they come',
  description:
    'Server-sent events. Each event `message` has the headers and the exact body of one request: forward both unchanged. An ' +
    'event `missed` has the `count` of messages that were dropped, because more than 1,000 or 4 MiB were unread. ' +
    'Connect again with `Last-Event-ID` after an interruption. The stream ends when the key is revoked or the subscription is deleted.',
  params: WEBHOOK_ID,
  success: { 200: 'The stream. A comment comes every 15 seconds.' },
  response: streamedMessage,
  streams: true,
  problems: ['not_found', 'conflict', 'rate_limited'],
  async handler(call: PublicCall, deps: RouteDeps) {
    const found = await findReached(deps.subscriptionDeps, askedFor(call));
    if (found === undefined) return BY_KEY.notFound;
    if (!isStreamUrl(found.target_url)) return NO_STREAM;
    const { accountId, apiKey } = call;
    const reader = { accountId, apiKey, subscriptionId: found.subscription_id };
    return {
      outcome: 'stream',
      open: (request, response) =>
        openStream(deps, {
          ...reader,
          request,
          response,
          after: readPlace(request.get('last-event-id') ?? ''),
        }),
    };
  },
});
