import { rememberLastResponse } from '@sluice/runtime/http/last-response';
import type { RequestHandler } from 'express';
import { refuse } from './result.ts';
import { sendRefusal } from './send.ts';

const NO_HOST = refuse(
  'bad_request',
  'The request has no Host header, which HTTP/1.1 requires. Send Host with the name of this server.',
);

/**
 * Rejects HTTP/1.1 requests without Host (RFC 9112, 3.2). Node would respond with an empty 400, so its server is
 * created with requireHostHeader off (server.ts).
 */
export const requireHost: RequestHandler = (request, response, next) => {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return next();
  response.setHeader('connection', 'close');
  rememberLastResponse(request.socket);
  sendRefusal(response, NO_HOST);
};
