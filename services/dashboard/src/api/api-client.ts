import type { FieldError } from '@sluice/contract/problem/problem';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { Route, RouteTypes } from '@sluice/dashboard-api/route';
import { ApiError } from './api-error.ts';

/** The input of a route, derived from the types the route carries. */
export type Input<T extends RouteTypes> = (T extends { params: infer P extends string }
  ? { readonly params: Readonly<Record<P, string>> }
  : unknown) &
  (T extends { query: infer Q } ? { readonly query?: Q } : unknown) &
  (T extends { body: infer B } ? { readonly body: B } : unknown);

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
}

/** Calls a route of the dashboard's API. Resolves with the parsed response, rejects with an ApiError. */
export async function callApi<T extends RouteTypes>(
  route: Route<T>,
  input: Input<T>,
  signal?: AbortSignal,
): Promise<T['response']> {
  const { params, query, body } = input as AnyInput;
  const response = await send(urlOf(route, params, query), {
    method: route.method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signalOf(route.method, signal),
  });
  if (!response.ok) throw await errorOf(response);
  return response.status === 204 ? null : await response.json();
}

/** Returns the path and query string of a route. Undefined and empty parameters are left out. */
export function urlOf(
  route: Pick<Route<RouteTypes>, 'path'>,
  params: Readonly<Record<string, string>> = {},
  query: object = {},
): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** After these times a page reports an error. The API server ends its own work after 20 s. */
const READ_WITHIN_MS = 10_000;
const WRITE_WITHIN_MS = MINUTE_MS;

function signalOf(method: string, signal: AbortSignal | undefined): AbortSignal | null {
  const limit = AbortSignal.timeout(method === 'GET' ? READ_WITHIN_MS : WRITE_WITHIN_MS);
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const name = error instanceof DOMException ? error.name : '';
    if (name === 'AbortError') throw error;
    const isLate = name === 'TimeoutError';
    throw new ApiError({
      status: 0,
      code: isLate ? 'no_answer' : 'unreachable',
      message: isLate
        ? `The server is not responding. ${init.method === 'GET' ? 'Try again in a few seconds.' : 'Look whether it has made the change.'}`
        : 'The server cannot be reached. Check your connection, then try again.',
      requestId: null,
    });
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const problem: Partial<Problem> = await response.json().catch(() => ({}));
  return new ApiError({
    status: response.status,
    code: problem.code ?? 'unknown',
    message: messageFor(problem, response.status),
    requestId: problem.request_id ?? response.headers.get('x-request-id'),
    errors: problem.errors ?? [],
  });
}

function messageFor({ detail, title }: Partial<Problem>, status: number): string {
  return detail ?? title ?? `The server responded with status ${status}.`;
}

interface Problem {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly request_id: string;
  readonly errors: readonly FieldError[];
}
