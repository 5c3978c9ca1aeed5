import type { Accounts } from '@sluice/store/accounts';
import type { Router } from 'express';
import { bindPublicRoutes } from './bind-public-routes.ts';
import type { PublicRoute } from './declare-route.ts';
import { identify } from './identify.ts';
import type { ListDeps } from './list-route.ts';
import type { ServeDeps } from './serve-route.ts';

export interface PublicDeps extends ServeDeps, ListDeps {
  readonly accounts: Pick<Accounts, 'findAccount'>;
}

/**
 * Every route of the public API, in the order of the documentation. A path with a parameter comes after the fixed paths
 * that it would match.
 */
export const PUBLIC_ROUTES: readonly PublicRoute<PublicDeps>[] = [identify];

/** The API that automation platforms call with an API key. */
export function publicRoutes(router: Router, deps: PublicDeps): void {
  bindPublicRoutes(router, PUBLIC_ROUTES, deps);
}
