import type { Role } from '@sluice/contract/roles';

/** Who may call a route: anybody at all, whoever is signed in, or a member of the current account with this role at least. */
export type Access = 'anyone' | 'signed_in' | Role;

/** The types of what a route takes and answers; absent where it takes none. `response` of 204 is `null`. */
export interface RouteTypes {
  /** Names of the `:parameters` in its path. */
  readonly params?: string;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly response: unknown;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One route of the API that the dashboard calls. Holds no schema, so that a browser can import it for next to nothing. */
export interface Route<T extends RouteTypes> {
  readonly method: Method;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly access: Access;
  readonly success: 200 | 201 | 202 | 204;
  /** Never set: carries the types. */
  readonly types?: T;
}

/** Every path of the dashboard's API starts with this. */
export const DASHBOARD_API = '/api/dashboard/v1';

/** Describes a route; `path` is what follows DASHBOARD_API. */
export function route<T extends RouteTypes>(
  method: Method,
  path: string,
  access: Access,
  success: Route<T>['success'] = 200,
): Route<T> {
  return { method, path: DASHBOARD_API + path, access, success };
}
