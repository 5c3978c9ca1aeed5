import { type LiveDeliveries, liveQuery } from '@sluice/contract/dashboard/deliveries';
import { ROUTES } from '@sluice/contract/dashboard/routes';
import { isMongoAway } from '@sluice/store/mongo-away';
import type { Response } from 'express';
import type { Binder } from '../http/bind.ts';
import { notFound } from '../http/result.ts';
import type { Authenticate, SignedIn } from '../session/authenticate.ts';
import type { OwnSource } from '../sources/own-source.ts';
import { describeDelivery } from './describe-delivery.ts';
import type { LiveFeed } from './live-feed.ts';

export interface LiveRouteDeps {
  readonly ownSource: OwnSource;
  readonly liveFeed: LiveFeed;
  readonly heartbeatMs?: number;
}

/** Keeps proxies from closing an idle stream, and finds out that a session was ended meanwhile. */
const HEARTBEAT_MS = 15_000;

/**
 * Of what was sent and is not taken, as by a machine that sleeps: more than a page that is looked at leaves, which in a
 * flood is sent a hundred groups of fifty rows at once, some 3 MB.
 */
const UNREAD_BYTES = 8 * 1024 * 1024;

/** New rows of a source's log as server-sent events; see `liveDeliveries` in the contract. */
export function liveRoute(
  { guarded }: Binder,
  authenticate: Authenticate,
  { ownSource, liveFeed, heartbeatMs = HEARTBEAT_MS }: LiveRouteDeps,
): void {
  guarded(
    ROUTES.deliveries.live,
    { query: liveQuery },
    async ({ who, query: { source_id }, request, response }) => {
      if ((await ownSource(who, source_id)) === undefined) return notFound('source');
      const stop = await liveFeed.watch(who.accountId, request.get('last-event-id'), {
        onEntry({ id, rows, omitted }) {
          const items = rows.filter((row) => row.source_id === source_id).map(describeDelivery);
          // Of those that are not sent, some may be this source's.
          if (items.length > 0 || omitted > 0)
            send(response, 'deliveries', { items, omitted } satisfies LiveDeliveries, id);
        },
        onMissed: () => send(response, 'missed', {}),
        onEnd: () => end(response),
      });
      // Left or ended while the feed was being opened: nobody would ever stop it, and no more may be written.
      if (response.destroyed || response.writableEnded) {
        stop();
        return 'answered';
      }
      const beat = async (): Promise<void> => {
        const maySee = await maySeeStill(who, () => authenticate(request, response));
        // Ended by the feed meanwhile: to write after that would be an error that nobody catches.
        if (response.writableEnded) return;
        if (maySee) {
          response.write(': still here\n\n');
        } else {
          // First: until all of it is taken, the feed would write after the end.
          stop();
          response.end();
        }
      };
      const timer = setInterval(() => void beat(), heartbeatMs);
      response.on('close', () => {
        clearInterval(timer);
        stop();
      });
      begin(response);
      return 'answered';
    },
  );
}

/** Whether the same user is still signed in to the same account; while the store is away, who was is. */
async function maySeeStill(who: SignedIn, look: () => ReturnType<Authenticate>): Promise<boolean> {
  try {
    const now = await look();
    return !('outcome' in now) && now.accountId === who.accountId && now.user.user_id === who.user.user_id;
  } catch (error) {
    return isMongoAway(error);
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
  if (!response.headersSent) begin(response);
  response.end();
}

function send(response: Response, event: string, data: object, id?: string): void {
  if (!response.headersSent) begin(response);
  const name = id === undefined ? '' : `id: ${id}\n`;
  response.write(`${name}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  // All of it would be kept here. The page connects again when it reads on, and goes on from where it was.
  if (response.writableLength > UNREAD_BYTES) response.destroy();
}
