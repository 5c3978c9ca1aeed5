import type { RequestListener, Server } from 'node:http';
import { newId } from '@sluice/credentials/ids';
import { answerClientErrors } from '@sluice/runtime/http/client-errors';
import { createTimedServer } from '@sluice/runtime/http/http-server';
import { MAX_HEADER_LINES } from './header-lines.ts';
import { continueWhenRead } from './node-incoming.ts';

/**
 * How much of an unread body, such as one that is too large, is read before the connection is paused. One more read may
 * follow. The default of Node 22 and later is 64 KiB. Bytes.
 */
const HIGH_WATER_MARK = 16 * 1024;

/** The HTTP server of the webhook. `listener` responds to a missing Host and to too many header lines. */
export function createHttpServer(listener: RequestListener): Server {
  const server = createTimedServer(listener, {
    highWaterMark: HIGH_WATER_MARK,
    // Node's own 400 for a missing Host has no body.
    requireHostHeader: false,
  });
  continueWhenRead(server);
  server.maxHeadersCount = MAX_HEADER_LINES + 1;
  answerClientErrors(server, () => newId('req'));
  // A sender may end its side behind a request and still read. Without this option, which Node has had for long but does
  // not document, the server would end the connection before the response.
  return Object.assign(server, { httpAllowHalfOpen: true });
}
