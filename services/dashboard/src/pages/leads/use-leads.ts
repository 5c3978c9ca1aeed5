import { MINUTE_MS } from '@sluice/contract/durations';
import type { LeadItem, LeadQuery } from '@sluice/dashboard-api/leads';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { callApi } from '../../api/api-client.ts';

/** Also reloads without a signal, in case a change was not noticed. */
const REFRESH_MS = MINUTE_MS;

interface LeadsOptions {
  /** Leads per page. */
  readonly limit: number;
  readonly enabled?: boolean;
}

/** Reads a list of leads, page after page. */
export function useLeads(query: LeadQuery, { limit, enabled = true }: LeadsOptions) {
  const leads = useInfiniteQuery({
    queryKey: [ROUTES.leads.list.path, { ...query, limit }],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        ROUTES.leads.list,
        { query: { ...query, limit, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: REFRESH_MS,
    enabled,
  });
  const items: readonly LeadItem[] = leads.data?.pages.flatMap((page) => page.items) ?? [];
  return { ...leads, items };
}
