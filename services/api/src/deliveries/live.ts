import { type LiveDeliveries, liveQuery } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { isMongoAway } from '@sluice/store/mongo-away';
import type { Response } from 'express';
import type { Binder } from '../http/bind.ts';
import { isGone, onGone } from '../http/on-gone.ts';
import { notFound } from '../http/result.ts';
import type { Authenticate, SignedIn } from '../http/signed-in.ts';
import type { OwnSource } from '../sources/own-source.ts';
import { type Access, createCheckedStream } from './checked-stream.ts';
import { describeDelivery } from './describe-delivery.ts';
import type { LiveFeed } from './live-feed.ts';
import type { TakePlace } from './stream-limit.ts';

export interface LiveRouteDeps {
  readonly ownSource: OwnSource;
  readonly liveFeed: LiveFeed;
  readonly takePlace: TakePlace;
  readonly heartbeatMs?: number;
}

/** Keeps proxies from closing an idle stream. Ends one whose session ended, if nothing else was heard of that. */
const HEARTBEAT_MS = 15_000;

/**
 * Of what was sent and is not taken, as by a machine that sleeps: more than a page that is looked at leaves, which in a
 * flood is sent a hundred groups of fifty rows at once, some 3 MB.
 */
const UNREAD_BYTES = 8 * 1024 * 1024;

const MISSED = message('missed', {});

/** New rows of a source's log as server-sent events; see `liveDeliveries` in the contract. */
export function liveRoute(
  { guarded }: Binder,
  authenticate: Authenticate,
  { ownSource, liveFeed, takePlace, heartbeatMs = HEARTBEAT_MS }: LiveRouteDeps,
): void {
  guarded(
    ROUTES.deliveries.live,
    { query: liveQuery },
    async ({ who, query: { source_id }, request, response }) => {
      if ((await ownSource(who, source_id)) === undefined) return notFound('source');
      // Its event `close` has come already: nobody would ever free its place.
      if (isGone(request, response)) return 'answered';
      const place = takePlace({ sessionId: who.session.session_id, userId: who.user.user_id });
      if ('outcome' in place) return place;
      onGone(request, response, place.leave);
      let stop = (): void => undefined;
      const stream = createCheckedStream({
        look: () => accessOf(who, () => authenticate(request, response)),
        write: (text) => write(response, text),
        end() {
          // First: until all of it is taken, the feed would write after the end.
          stop();
          end(response);
        },
        missed: MISSED,
        keep: UNREAD_BYTES,
      });
      stop = await liveFeed.watch(who.accountId, request.get('last-event-id'), {
        onEntry({ id, rows, omitted }) {
          const items = rows.filter((row) => row.source_id === source_id).map(describeDelivery);
          // Of those that are not sent, some may be this source's.
          if (items.length > 0 || omitted > 0)
            stream.offer(message('deliveries', { items, omitted } satisfies LiveDeliveries, id));
        },
        onMissed: () => stream.offer(MISSED),
        onAccessChanged(userId) {
          if (userId === who.user.user_id) stream.check();
        },
        onEnd: () => end(response),
      });
      // Left or ended while the feed was being opened: nobody would ever stop it, and no more may be written.
      if (isGone(request, response) || response.writableEnded) {
        stop();
        return 'answered';
      }
      const timer = setInterval(() => stream.check(': still here\n\n'), heartbeatMs);
      onGone(request, response, () => {
        clearInterval(timer);
        stop();
      });
      begin(response);
      // The session may have ended while the feed was being opened.
      stream.check();
      return 'answered';
    },
  );
}

/** Whether the same user is still signed in to the same account. Rows wait while the store cannot be asked. */
async function accessOf(who: SignedIn, look: () => ReturnType<Authenticate>): Promise<Access> {
  try {
    const now = await look();
    const same =
      !('outcome' in now) && now.accountId === who.accountId && now.user.user_id === who.user.user_id;
    return same ? 'allowed' : 'gone';
  } catch (error) {
    return isMongoAway(error) ? 'unknown' : 'gone';
  }
}

function begin(response: Response): void {
  if (!response.headersSent) {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // nginx would keep the events back until it has a buffer full of them.
      'x-accel-buffering': 'no',
    });
  }
  response.write('retry: 2000\n\n');
}

/** As a stream of events, where it never began: browsers do not connect again after any other answer. */
function end(response: Response): void {
  if (response.writableEnded || response.destroyed) return;
  if (!response.headersSent) begin(response);
  response.end();
}

function write(response: Response, text: string): void {
  // Ended by the feed, or left, while the session was looked at: to write after that would be an error that nobody catches.
  if (response.writableEnded || response.destroyed) return;
  if (!response.headersSent) begin(response);
  response.write(text);
  // All of it would be kept here. The page connects again when it reads on, and goes on from where it was.
  if (response.writableLength > UNREAD_BYTES) response.destroy();
}

function message(event: string, data: object, id?: string): string {
  const name = id === undefined ? '' : `id: ${id}\n`;
  return `${name}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
