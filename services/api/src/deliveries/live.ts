import { type LiveDeliveries, liveQuery } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { textOfPlace } from '@sluice/monitoring/read-streams';
import { isMongoAway } from '@sluice/store/connection/mongo-away';
import type { Binder } from '../http/bind.ts';
import {
  beginEvents,
  endEvents,
  eventText,
  HEARTBEAT_MS,
  UNREAD_BYTES,
  writeEvent,
} from '../http/event-stream.ts';
import { isGone, onGone } from '../http/on-gone.ts';
import { notFound } from '../http/result.ts';
import type { Authenticate, SignedIn } from '../http/signed-in.ts';
import type { OwnSource } from '../sources/own-source.ts';
import { type Access, createCheckedStream } from './checked-stream.ts';
import { describeDelivery } from './describe-delivery.ts';
import type { LiveFeed } from './live-feed.ts';
import type { TakePlace } from './stream-limit.ts';

export interface LiveRouteDeps {
  readonly ownAnySource: OwnSource;
  readonly liveFeed: LiveFeed;
  readonly takePlace: TakePlace;
  readonly heartbeatMs?: number;
}

const MISSED = eventText('missed', {});

/** Streams new rows of the log of a source, or of all, as server-sent events; see `liveDeliveries` in dashboard-api. */
export function liveRoute(
  { guarded }: Binder,
  authenticate: Authenticate,
  { ownAnySource, liveFeed, takePlace, heartbeatMs = HEARTBEAT_MS }: LiveRouteDeps,
): void {
  guarded(
    ROUTES.deliveries.live,
    { query: liveQuery },
    async ({ who, query: { source_id }, request, response }) => {
      if (source_id !== undefined && (await ownAnySource(who, source_id)) === undefined)
        return notFound('source');
      // The `close` event has already fired, so the place would never be freed.
      if (isGone(request, response)) return 'sent';
      const place = takePlace({ sessionId: who.session.session_id, userId: who.user.user_id });
      if ('outcome' in place) return place;
      onGone(request, response, place.leave);
      let stop = (): void => undefined;
      const stream = createCheckedStream({
        checkAccess: () => accessOf(who, () => authenticate(request, response)),
        write: (text) => writeEvent(response, text),
        end() {
          // Stop first: until the response has ended, the feed would write after the end.
          stop();
          endEvents(response);
        },
        missed: MISSED,
        keep: UNREAD_BYTES,
      });
      stop = await liveFeed.watch(who.accountId, request.get('last-event-id'), {
        onEntry({ place, rows, omitted }) {
          const items = rows
            .filter((row) => source_id === undefined || row.source_id === source_id)
            .map(describeDelivery);
          // Some of the omitted rows may belong to this source.
          if (items.length > 0 || omitted > 0)
            stream.offer(
              eventText('deliveries', { items, omitted } satisfies LiveDeliveries, textOfPlace(place)),
            );
        },
        onMissed: () => stream.offer(MISSED),
        onAccessChanged(users) {
          if (users === 'anyone' || users.has(who.user.user_id)) stream.check();
        },
        onEnd: () => endEvents(response),
      });
      // The client left, or the stream ended, while the feed opened. Nothing would ever stop the feed otherwise.
      if (isGone(request, response) || response.writableEnded) {
        stop();
        return 'sent';
      }
      const timer = setInterval(() => stream.check(': still here\n\n'), heartbeatMs);
      onGone(request, response, () => {
        clearInterval(timer);
        stop();
      });
      beginEvents(response);
      // The session may have ended while the feed opened.
      stream.check();
      return 'sent';
    },
  );
}

/** Whether the same user is still signed in to the same account. Rows wait while the store is away. */
async function accessOf(who: SignedIn, checkAccess: () => ReturnType<Authenticate>): Promise<Access> {
  try {
    const now = await checkAccess();
    const same =
      !('outcome' in now) && now.accountId === who.accountId && now.user.user_id === who.user.user_id;
    return same ? 'allowed' : 'gone';
  } catch (error) {
    return isMongoAway(error) ? 'unknown' : 'gone';
  }
}
