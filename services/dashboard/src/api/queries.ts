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
import { ApiError } from './api-error.ts';

const SECOND = 1000;
const ME = ROUTES.session.me.path;

/** The session has ended, or the account requires two-factor sign-in since. */
const ASK_WHO = new Set(['signed_out', 'two_factor_required']);

export function createQueryClient(): QueryClient {
  const askWho = (error: Error) => {
    if (error instanceof ApiError && ASK_WHO.has(error.code))
      void client.invalidateQueries({ queryKey: [ME] });
  };
  const client = new QueryClient({
    // The shell asks who is signed in, and leads to the sign-in or to the set-up.
    queryCache: new QueryCache({ onError: (error, { queryKey }) => queryKey[0] !== ME && askWho(error) }),
    mutationCache: new MutationCache({ onError: askWho }),
    defaultOptions: {
      queries: {
        staleTime: 5 * SECOND,
        retry: (failures, error) => failures < retriesOf(error),
      },
    },
  });
  return client;
}

function retriesOf(error: Error): number {
  if (!(error instanceof ApiError)) return 2;
  const { status, code } = error;
  // A refusal that asking again at once will not change, or a silence that was long enough.
  if ((status >= 400 && status < 500) || code === 'no_answer') return 0;
  // The API has waited for Redis or MongoDB already.
  return code === 'unavailable' ? 1 : 2;
}

/** Options of a query that reads a route. */
export function reading<T extends RouteTypes>(route: Route<T>, input: Input<T>) {
  return {
    queryKey: [route.path, input] as const,
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<T['response']> => callApi(route, input, signal),
  };
}

interface ReadOptions {
  readonly enabled?: boolean;
  readonly everyMs?: number | false;
  /** Show what was there before while something else is loaded. */
  readonly keep?: boolean;
}

export function useRead<T extends RouteTypes>(
  route: Route<T>,
  input: Input<T>,
  { enabled = true, everyMs = false, keep = false }: ReadOptions = {},
): UseQueryResult<T['response'], Error> {
  return useQuery({
    ...reading(route, input),
    enabled,
    refetchInterval: everyMs,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  });
}

/** A change through a route. Whatever reads one of `refreshes` is read anew before it counts as done. */
export function useWrite<T extends RouteTypes>(
  route: Route<T>,
  refreshes: readonly Route<RouteTypes>[] = [],
) {
  const client = useQueryClient();
  return useMutation<T['response'], Error, Input<T>>({
    mutationFn: (input) => callApi(route, input),
    // Answers of writes may hold secrets: none is kept once its component is gone.
    gcTime: 0,
    onSuccess: async () => {
      await Promise.all(refreshes.map(({ path }) => client.invalidateQueries({ queryKey: [path] })));
    },
  });
}
