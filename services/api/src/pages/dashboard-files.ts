import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Router } from 'express';
import { immutableFiles } from './immutable-files.ts';

/**
 * Paths that are no pages of the dashboard. Clients make some of them from a base URL that ends in a slash:
 * a page would tell it, with its 200, that any key is good.
 */
const NOT_PAGES = /^\/+(api|assets|docs|problems)(\/|$)|^\/+openapi\.json$/i;

/** Serves the built dashboard: hashed files for a year, and its one page for every address within it. */
export function dashboardFiles(router: Router, dir: string): void {
  router.use('/assets', ...immutableFiles(join(dir, 'assets')));
  router.use(express.static(dir, { index: false, redirect: false, maxAge: 0 }));
  router.get('/{*path}', (request, response, next) => {
    const wanted = request.accepts(['html', 'json']) === 'html' && !NOT_PAGES.test(request.path);
    const page = join(dir, 'index.html');
    if (!wanted || !existsSync(page)) return next();
    response.setHeader('cache-control', 'no-store');
    response.sendFile(page, { cacheControl: false });
  });
}
