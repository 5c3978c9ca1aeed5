import type { Role } from '@sluice/contract/account/roles';

/** The callers of a route: anyone, any signed-in user, or members of the current account with at least this role. */
export type Access = 'anyone' | 'signed_in' | Role;

/** The types of a route's request and response; absent if the route has none. `response` is `null` for 204. */
export interface RouteTypes {
  /** Names of the `:parameters` in its path. */
  readonly params?: string;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly response: unknown;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One route of the dashboard's API. Contains no schema, so a browser can import it at almost no cost. */
export interface Route<T extends RouteTypes> {
  readonly method: Method;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly access: Access;
  readonly success: 200 | 201 | 202 | 204;
  /** Never set at run time: carries the types. */
  readonly types?: T;
}

/** Path prefix of every route of the dashboard's API. */
export const DASHBOARD_API = '/api/dashboard/v1';

/** Describes a route. `path` is appended to DASHBOARD_API. */
export function route<T extends RouteTypes>(
  method: Method,
  path: string,
  access: Access,
  success: Route<T>['success'] = 200,
): Route<T> {
  return { method, path: DASHBOARD_API + path, access, success };
}
