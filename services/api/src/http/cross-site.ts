import { rememberLastResponse } from '@sluice/runtime/http/last-response';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import { refuse } from './result.ts';
import { sendRefusal } from './send.ts';

/**
 * The headers of every response. Nothing loads from other hosts, nothing runs or styles inline, no page may frame it.
 * No HSTS: only the TLS-terminating proxy knows whether the whole host uses TLS.
 */
export function securityHeaders() {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects writes that another site's page makes with the visitor's cookie. Browsers send the origin in Sec-Fetch-Site
 * or at least in Origin, and pages cannot forge either. A caller that sends neither is not a browser, and has only the
 * cookies that it was given on purpose.
 */
export const refuseCrossSite: RequestHandler = (request, response, next) => {
  if (SAFE.has(request.method) || isSameOrigin(request)) return next();
  sendRefusal(
    response,
    refuse(
      'cross_site',
      'Only the pages of this dashboard can make changes. Open the dashboard and try again there.',
    ),
  );
};

function isSameOrigin(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.get('origin');
  if (origin === undefined) return true;
  // The scheme is not compared: a proxy that ends TLS may not forward it.
  return URL.canParse(origin) && new URL(origin).host === request.host;
}

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
