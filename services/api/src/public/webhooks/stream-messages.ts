import { type StreamPlace, type Streams, textOfPlace } from '@sluice/outbound/queue/streams';
import { renewStream } from '@sluice/outbound/subscriptions/create-stream';
import { publishAgain } from '@sluice/outbound/subscriptions/push-to-mailbox';
import type { ApiKey, ApiKeys } from '@sluice/store/accounts/api-keys';
import { isMongoAway } from '@sluice/store/connection/mongo-away';
import type { Request, Response } from 'express';
import { type Access, createCheckedStream } from '../../http/checked-stream.ts';
import {
  beginEvents,
  endEvents,
  eventText,
  HEARTBEAT_MS,
  UNREAD_BYTES,
  writeEvent,
} from '../../http/event-stream.ts';
import { isGone, onGone } from '../../http/on-gone.ts';
import { sendRefusal } from '../../http/send.ts';
import { authenticateKey } from '../authenticate-key.ts';
import type { WebhookRouteDeps } from './deps.ts';
import type { OpenStreams } from './open-streams.ts';
import type { TakePlace } from './stream-limit.ts';

export interface StreamDeps extends WebhookRouteDeps {
  readonly apiKeys: Pick<ApiKeys, 'findApiKeyByHash'>;
  readonly streams: Pick<Streams, 'read'>;
  readonly openStreams: OpenStreams;
  readonly takeStreamPlace: TakePlace;
  readonly now: () => number;
  readonly onStreamFailed: (error: unknown) => void;
  /** Default: HEARTBEAT_MS. */
  readonly heartbeatMs?: number;
}

export interface StreamReader {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly apiKey: ApiKey;
  readonly request: Request;
  readonly response: Response;
  readonly after: StreamPlace;
}

/** Maximum delay until a new message is sent. Milliseconds. */
const LOOK_EVERY_MS = 150;
/** The subscription ends 75 s after the last renewal, so one that fails does no harm. Milliseconds. */
const RENEW_EVERY_MS = 30_000;

/** Opens a stream of the messages of one subscription. It ends when its client, its key or its subscription has gone. */
export async function openStream(deps: StreamDeps, reader: StreamReader): Promise<void> {
  const { request, response, subscriptionId, apiKey } = reader;
  if (isGone(request, response)) return;
  const place = deps.takeStreamPlace({ subscriptionId, keyId: apiKey.key_id });
  if ('outcome' in place) return sendRefusal(response, place);
  let over = false;
  const stream = createCheckedStream({
    checkAccess: () => accessOf(deps, reader),
    write: (text) => writeEvent(response, text),
    end: () => end(),
    missed: eventText('missed', { count: 0 }),
    keep: UNREAD_BYTES,
  });
  const beat = setInterval(() => stream.check(': still here\n\n'), deps.heartbeatMs ?? HEARTBEAT_MS);
  const forget = deps.openStreams.add(() => end());
  const stop = () => {
    over = true;
    clearInterval(beat);
    forget();
    place.leave();
  };
  function end(): void {
    stop();
    endEvents(response);
  }
  onGone(request, response, stop);
  beginEvents(response);
  stream.check();
  forward(deps, reader, { offer: stream.offer, isOver: () => over })
    .catch(deps.onStreamFailed)
    .finally(end);
}

/** Reads and offers messages until the stream is over. Rejects if a store fails; the client then connects again. */
async function forward(
  deps: StreamDeps,
  { accountId, subscriptionId, after }: StreamReader,
  { offer, isOver }: { readonly offer: (text: string) => void; readonly isOver: () => boolean },
): Promise<void> {
  let place = after;
  let renewedAt = Number.NEGATIVE_INFINITY;
  while (!isOver()) {
    if (deps.now() - renewedAt >= RENEW_EVERY_MS) {
      if (!(await renewStream(deps.subscriptionDeps, accountId, subscriptionId))) return;
      renewedAt = deps.now();
    }
    const read = await deps.streams.read(accountId, subscriptionId, place);
    if (read.status === 'stopped') return;
    if (read.status === 'absent') {
      await publishAgain(deps.subscriptionDeps, accountId);
    } else {
      for (const { id, number, series, missed, message } of read.entries) {
        place = { id, number, series };
        if (missed > 0) offer(eventText('missed', { count: missed }));
        offer(eventText('message', message, textOfPlace(place)));
      }
      if (read.entries.length > 0) continue;
    }
    await deps.subscriptionDeps.sleep(LOOK_EVERY_MS);
  }
}

/** Whether the key is still live. Messages wait while MongoDB is away. */
async function accessOf(deps: StreamDeps, { apiKey, request }: StreamReader): Promise<Access> {
  try {
    const checked = await authenticateKey(deps, request.get('authorization'));
    const same = checked.outcome === 'live' && checked.apiKey.key_id === apiKey.key_id;
    return same && checked.apiKey.scopes.includes('webhooks') ? 'allowed' : 'gone';
  } catch (error) {
    return isMongoAway(error) ? 'unknown' : 'gone';
  }
}
