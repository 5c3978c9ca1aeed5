import { EventEmitter, once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { liveRoute } from '@sluice/api/deliveries/live';
import type { Watcher } from '@sluice/api/deliveries/live-feed';
import { createStreamLimit } from '@sluice/api/deliveries/stream-limit';
import { createBinder } from '@sluice/api/http/bind';
import { refuse } from '@sluice/api/http/result';
import type { Authenticate, SignedIn } from '@sluice/api/http/signed-in';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { LiveEntry } from '@sluice/monitoring/live-deliveries';
import type { Source } from '@sluice/store/sources/source';
import express from 'express';
import { until } from '../support/until.ts';

const WHO = {
  accountId: 'acc_1',
  user: { user_id: 'usr_1' },
  session: { session_id: 'ses_1' },
  role: 'viewer',
} as SignedIn;
const ROW = { source_id: 'src_1', received_at: 0, reason: 'x'.repeat(200_000) };
const ENTRY = { place: { run: '', id: '1-1' }, rows: [ROW], omitted: 0 } as unknown as LiveEntry;

describe('api: the heartbeat of a live stream with unread data', () => {
  it('does nothing if the feed has ended the stream', async () => {
    await watchUnread({
      async look(watching) {
        for (const watcher of watching) watcher.onEnd();
        return WHO;
      },
      ended: (_watching, lookedAgain) => lookedAgain,
    });
  });

  it('unsubscribes from the feed before it ends the stream, so that the next row does nothing', async () => {
    await watchUnread({
      look: async () => refuse('signed_out', ''),
      async ended(watching) {
        for (const watcher of watching) watcher.onEntry(ENTRY);
        // An error of the response would be emitted within this turn.
        await setImmediate();
      },
    });
  });
});

/**
 * Watches and receives rows without reading them, until some stay unread for a few heartbeats. `look` returns the
 * session at the next heartbeat. `ended` is called after the end of the stream, with the remaining watchers and the
 * next check.
 */
async function watchUnread(then: {
  readonly look: (watching: ReadonlySet<Watcher>) => ReturnType<Authenticate>;
  readonly ended: (watching: ReadonlySet<Watcher>, lookedAgain: Promise<unknown>) => Promise<unknown>;
}): Promise<void> {
  const looks = new EventEmitter();
  const looked = once(looks, 'after its end');
  const watching = new Set<Watcher>();
  let response: ServerResponse | undefined;
  let untaken = 0;
  // The first check is that of the request. The heartbeats follow.
  const authenticate: Authenticate = async () => {
    if (response?.writableEnded) looks.emit('after its end');
    else if (response?.writableLength === 0) {
      untaken = 0;
      for (const watcher of watching) watcher.onEntry(ENTRY);
    } else if (++untaken > 3) return then.look(watching);
    return WHO;
  };
  const router = express.Router();
  liveRoute(createBinder(router, authenticate), authenticate, {
    ownAnySource: async () => ({}) as Source,
    takePlace: createStreamLimit(),
    heartbeatMs: 1,
    liveFeed: {
      async watch(_account, _lastId, watcher) {
        watching.add(watcher);
        return () => void watching.delete(watcher);
      },
      close: () => undefined,
    },
  });
  const app = express().set('query parser', 'simple');
  app.use((_request, itsResponse, next) => {
    response = itsResponse;
    next();
  }, router);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = get(`http://127.0.0.1:${port}${ROUTES.deliveries.live.path}?source_id=src_1`);
  request.on('error', () => undefined);
  try {
    await once(request, 'response');
    await until(() => response?.writableEnded === true);
    await then.ended(watching, looked);
  } finally {
    request.destroy();
    server.close();
  }
}
