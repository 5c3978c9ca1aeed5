import { EventEmitter, once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LiveEntry } from '@sluice/admission/live-deliveries';
import { liveRoute } from '@sluice/api/deliveries/live';
import type { Watcher } from '@sluice/api/deliveries/live-feed';
import { createBinder } from '@sluice/api/http/bind';
import type { Authenticate, SignedIn } from '@sluice/api/session/authenticate';
import { ROUTES } from '@sluice/contract/dashboard/routes';
import type { Source } from '@sluice/store/sources';
import express from 'express';

const WHO = { accountId: 'acc_1', user: { user_id: 'usr_1' }, role: 'viewer' } as SignedIn;
const ROW = { source_id: 'src_1', received_at: 0, reason: 'x'.repeat(200_000) };
const ENTRY = { id: '1-1', rows: [ROW], omitted: 0 } as unknown as LiveEntry;

describe('api: the heartbeat of a live stream', () => {
  it('harms nothing where the feed has ended the stream, and its reader has not taken all of it', async () => {
    const looks = new EventEmitter();
    const looked = once(looks, 'after its end');
    let watcher: Watcher | undefined;
    let response: ServerResponse | undefined;
    let untaken = 0;
    // First it is the request that is looked at, then the heartbeats.
    const authenticate: Authenticate = async () => {
      if (response?.writableEnded) setImmediate(() => looks.emit('after its end'));
      else if (response?.writableLength === 0) {
        untaken = 0;
        watcher?.onEntry(ENTRY);
      } else if (++untaken > 3) watcher?.onEnd();
      return WHO;
    };
    const router = express.Router();
    liveRoute(createBinder(router, authenticate), authenticate, {
      ownSource: async () => ({}) as Source,
      heartbeatMs: 1,
      liveFeed: {
        async watch(_account, _lastId, watching) {
          watcher = watching;
          return () => undefined;
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
      await looked;
    } finally {
      request.destroy();
      server.close();
    }
  });
});
