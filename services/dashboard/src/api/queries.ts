import type { Route, RouteTypes } from '@sluice/dashboard-api/route';
import { ROUTES } from '@sluice/dashboard-api/routes';
import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { callApi, type Input } from './api-client.ts';
import { ApiError, isMissing } from './api-error.ts';

const SECOND = 1000;
const ME = ROUTES.session.me.path;

/** The session has ended, or the account now requires two-factor sign-in. */
const SESSION_CHANGED = new Set(['signed_out', 'two_factor_required']);

export function createQueryClient(): QueryClient {
  const reloadSession = (error: Error) => {
    if (error instanceof ApiError && SESSION_CHANGED.has(error.code))
      void client.invalidateQueries({ queryKey: [ME] });
  };
  const client = new QueryClient({
    // The shell reloads the session, and redirects to sign-in or to the two-factor set-up.
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
        staleTime: 5 * SECOND,
        retry: (failures, error) => failures < retriesOf(error),
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
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

interface ReadOptions {
  readonly enabled?: boolean;
  readonly everyMs?: number | false;
  /** Shows the previous data while other data loads. */
  readonly keep?: boolean;
  /** A record that may not exist yet is asked for until it does. */
  readonly awaited?: boolean;
}

export function useRead<T extends RouteTypes>(
  route: Route<T>,
  input: Input<T>,
  { enabled = true, everyMs = false, keep = false, awaited = false }: ReadOptions = {},
): UseQueryResult<T['response'], Error> {
  return useQuery({
    ...reading(route, input),
    enabled,
    // A record that does not exist is not asked for again, because each try would show the page as loading.
    refetchInterval: ({ state }) =>
      !awaited && state.data === undefined && isMissing(state.error) ? false : everyMs,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  });
}

/**
 * Changes something through a route. Queries of the routes in `refreshes` reload before the change counts as done.
 */
export function useWrite<T extends RouteTypes>(
  route: Route<T>,
  refreshes: readonly Route<RouteTypes>[] = [],
) {
  const client = useQueryClient();
  return useMutation<T['response'], Error, Input<T>>({
    mutationFn: (input) => callApi(route, input),
    // Responses of writes may contain secrets, so none is kept after its component unmounts.
    gcTime: 0,
    onSuccess: async () => {
      await Promise.all(refreshes.map(({ path }) => client.invalidateQueries({ queryKey: [path] })));
    },
  });
}
