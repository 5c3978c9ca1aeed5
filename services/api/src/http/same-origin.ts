import type { Request, RequestHandler } from 'express';
import { refuse } from './result.ts';
import { sendRefusal } from './send.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses writes that another site's page makes with the visitor's cookie. Browsers say where a request comes from, in
 * Sec-Fetch-Site or at least in Origin, and pages cannot forge either. A caller that sends neither is no browser, and
 * has no cookie but one that it was given on purpose.
 */
export const refuseCrossSite: RequestHandler = (request, response, next) => {
  if (SAFE.has(request.method) || isSameOrigin(request)) return next();
  sendRefusal(
    response,
    refuse(
      'cross_site',
      'Changes are taken from the pages of this dashboard only. Open it and try again there.',
    ),
  );
};

function isSameOrigin(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.get('origin');
  if (origin === undefined) return true;
  // Not compared by scheme: a proxy that ends TLS may not tell.
  return URL.canParse(origin) && new URL(origin).host === request.host;
}
