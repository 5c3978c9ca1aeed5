import { SECOND_MS } from '@sluice/contract/time/durations';
import type { Route, RouteTypes } from '@sluice/dashboard-api/route';
import { ROUTES } from '@sluice/dashboard-api/routes';
import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { callApi, type Input } from './api-client.ts';
import { ApiError, isMissing } from './api-error.ts';

const ME = ROUTES.session.me.path;

/** The session has ended, or the account now requires two-factor sign-in. */
const SESSION_CHANGED = new Set(['signed_out', 'two_factor_required']);
/** Nothing can be read at the moment, perhaps not even the session. */
const AWAY = new Set(['no_answer', 'unreachable', 'unavailable']);

export function createQueryClient(): QueryClient {
  const reloadSession = (error: Error) => reloadSessionAfter(error, client);
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => queryKey[0] !== ME && reloadSession(error),
    }),
    mutationCache: new MutationCache({ onError: reloadSession }),
    defaultOptions: {
      // Otherwise a browser without a network pauses every call without an error, and sends a paused write later, although its
      // dialog may be closed by then. The server may also be this machine.
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 5 * SECOND_MS,
        retry: (failures, error) => failures < retriesOf(error),
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** Reloads the session if a call failed because of it. The shell says what is wrong, asks to sign in again, or redirects. For calls outside of queries. */
export function reloadSessionAfter(error: unknown, client: QueryClient): void {
  if (!(error instanceof ApiError)) return;
  const hasChanged = SESSION_CHANGED.has(error.code);
  if (hasChanged || AWAY.has(error.code))
    void client.invalidateQueries({ queryKey: [ME] }, { cancelRefetch: hasChanged });
}

function retriesOf(error: Error): number {
  if (!(error instanceof ApiError)) return 2;
  const { status, code } = error;
  // An immediate retry cannot succeed: the request was rejected, or it has already timed out.
  if ((status >= 400 && status < 500) || code === 'no_answer') return 0;
  // The API has already waited for Redis or MongoDB.
  return code === 'unavailable' ? 1 : 2;
}

/** Returns the options of a query that reads a route. */
export function reading<T extends RouteTypes>(route: Route<T>, input: Input<T>) {
  return {
    queryKey: [route.path, input] as const,
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<T['response']> => callApi(route, input, signal),
  };
}

interface ReadOptions<T> {
  readonly enabled?: boolean;
  /** The time between two reads, or how it follows from the data. */
  readonly everyMs?: number | false | ((data: T | undefined) => number | false);
  /** Shows the previous data while other data loads. */
  readonly keep?: boolean;
  /** A record that may not exist yet is asked for until it does. */
  readonly awaited?: boolean;
  /** The answer is not kept for the next time, because its effect may have changed by then. */
  readonly forgets?: boolean;
  /** It is read again on request only. */
  readonly once?: boolean;
}

export function useRead<T extends RouteTypes>(
  route: Route<T>,
  input: Input<T>,
  options: ReadOptions<T['response']> = {},
): UseQueryResult<T['response'], Error> {
  const { enabled = true, everyMs = false, keep = false, awaited = false } = options;
  return useQuery({
    ...reading(route, input),
    enabled,
    ...(options.forgets && { gcTime: 0 }),
    ...(options.once && { staleTime: Number.POSITIVE_INFINITY }),
    // A record that does not exist is not asked for again, because each try would show the page as loading.
    refetchInterval: ({ state }) => {
      if (!awaited && state.data === undefined && isMissing(state.error)) return false;
      return typeof everyMs === 'function' ? everyMs(state.data) : everyMs;
    },
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  });
}

interface Paged extends RouteTypes {
  readonly response: { readonly items: readonly unknown[]; readonly next_cursor: string | null };
}

interface PagesOptions {
  readonly enabled?: boolean;
  readonly refetchInterval?: number;
  readonly staleTime?: number;
  readonly refetchOnWindowFocus?: boolean;
  readonly refetchOnReconnect?: boolean;
}

/** Reads a list page after page. */
export function usePages<T extends Paged>(route: Route<T>, input: Input<T>, options: PagesOptions = {}) {
  const list = useInfiniteQuery({
    queryKey: [route.path, 'pages', input],
    queryFn: ({ pageParam, signal }): Promise<T['response']> => {
      const { query } = input as { readonly query?: object };
      const page = pageParam === '' ? {} : { cursor: pageParam };
      return callApi(route, { ...(input as object), query: { ...query, ...page } } as Input<T>, signal);
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    ...options,
  });
  const items: readonly T['response']['items'][number][] =
    list.data?.pages.flatMap((page) => page.items) ?? [];
  return { ...list, items };
}

/** Returns a function that reloads the queries of some routes. It resolves once those that are shown have reloaded. */
export function useReload(routes: readonly Route<RouteTypes>[]): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all(routes.map(({ path }) => client.invalidateQueries({ queryKey: [path] })));
  };
}

/**
 * Changes something through a route. Queries of the routes in `refreshes` reload before the change counts as done.
 */
export function useWrite<T extends RouteTypes>(
  route: Route<T>,
  refreshes: readonly Route<RouteTypes>[] = [],
) {
  const reload = useReload(refreshes);
  return useMutation<T['response'], Error, Input<T>>({
    mutationFn: (input) => callApi(route, input),
    // Responses of writes may contain secrets, so none is kept after its component unmounts.
    gcTime: 0,
    onSuccess: reload,
  });
}
