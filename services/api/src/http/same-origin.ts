import type { Request, RequestHandler } from 'express';
import { refuse } from './result.ts';
import { sendRefusal } from './send.ts';

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
