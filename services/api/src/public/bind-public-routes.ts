import type { Request, Response, Router } from 'express';
import { refuse } from '../http/result.ts';
import { sendRefusal } from '../http/send.ts';
import type { PublicRoute } from './declare-route.ts';
import type { ServeDeps } from './serve-deps.ts';
import { serveRoute } from './serve-route.ts';

const EMPTY_ID = refuse(
  'not_found',
  'The id is empty: the path ends with a slash. Put the id of the record there, or remove the slash to get the list.',
);

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
    const shown = own.map(({ method }) => method).join(', ');
    const allowed = own.flatMap(allowedBy).join(', ');
    const hasRecords = routes.some(({ path: other, method }) => method === 'GET' && isRecordOf(other, path));
    const refuseMethod = (_request: Request, response: Response) => {
      response.setHeader('allow', allowed);
      sendRefusal(response, refuse('method_not_allowed', `This path accepts ${shown} only.`));
    };
    for (const route of own) {
      const method = route.method.toLowerCase() as 'get';
      router[method](path, (request, response) => {
        // Express would serve HEAD with the handler of GET, and such a stream would never end.
        if (route.streams && request.method === 'HEAD') return refuseMethod(request, response);
        if (hasRecords && route.method === 'GET' && request.path.endsWith('/'))
          return sendRefusal(response, EMPTY_ID);
        return serveRoute(route, deps, request, response);
      });
    }
    router.all(path, refuseMethod);
  }
}

/** Express serves HEAD with the handler of GET. */
function allowedBy({ method, streams }: PublicRoute<never>): readonly string[] {
  return method === 'GET' && !streams ? ['GET', 'HEAD'] : [method];
}

/** Express ignores a slash at the end, so the path of a record with an empty id would get the list. */
function isRecordOf(path: string, list: string): boolean {
  return path.startsWith(`${list}/:`) && !path.slice(list.length + 1).includes('/');
}
