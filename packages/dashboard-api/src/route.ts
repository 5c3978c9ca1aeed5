import type { Role } from '@sluice/contract/account/roles';

/** The callers of a route: anyone, any signed-in user, or members of the current account with at least this role. */
export type Access = 'anyone' | 'signed_in' | Role;

/** The types of a route's request and response; absent if the route has none. `response` is `null` for 204. */
export interface RouteTypes {
  /** The names of the `:parameters` in its path. */
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

/** The names of the `:parameters` in a path. */
type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type WithParams<Path extends string, T> = [ParamsOf<Path>] extends [never]
  ? T
  : T & { readonly params: ParamsOf<Path> };

/** Stands for types. It has no value. */
interface Types<T> {
  readonly types?: T;
}

/** The types of what a route reads and returns. The parameters of its path are not among them: the path has them. */
export const io = <T extends Omit<RouteTypes, 'params'>>(): Types<T> => ({});

/** Describes a route. `path` is appended to DASHBOARD_API. */
const route =
  (method: Method) =>
  <Path extends string, T extends Omit<RouteTypes, 'params'>>(
    path: Path,
    access: Access,
    _types: Types<T>,
    success: Route<T>['success'] = 200,
  ): Route<WithParams<Path, T>> => ({ method, path: DASHBOARD_API + path, access, success });

export const get = route('GET');
export const post = route('POST');
export const put = route('PUT');
export const patch = route('PATCH');
export const remove = route('DELETE');
