import type { Router } from 'express';
import { refuse } from '../http/result.ts';
import { sendRefusal } from '../http/send.ts';
import type { PublicRoute } from './declare-route.ts';
import type { ServeDeps } from './serve-deps.ts';
import { serveRoute } from './serve-route.ts';

/**
 * Registers declared routes: the only way to a public route, so none can be without a scope. Every other method of a
 * path gets 405. A path with a parameter must come after the fixed paths that it would match.
 */
export function bindPublicRoutes<Deps extends ServeDeps>(
  router: Router,
  routes: readonly PublicRoute<Deps>[],
  deps: Deps,
): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const own = routes.filter((route) => route.path === path);
    for (const route of own) {
      const method = route.method.toLowerCase() as 'get';
      router[method](path, (request, response) => serveRoute(route, deps, request, response));
    }
    const allowed = own.map(({ method }) => method).join(', ');
    router.all(path, (_request, response) => {
      response.setHeader('allow', allowed);
      sendRefusal(response, refuse('method_not_allowed', `This path accepts ${allowed} only.`));
    });
  }
}
