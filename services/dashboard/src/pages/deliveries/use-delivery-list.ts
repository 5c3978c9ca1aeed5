import { ROUTES } from '@sluice/dashboard-api/routes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callApi } from '../../api/api-client.ts';
import { type Filters, toQuery } from './filter.ts';
import { inLogOrder } from './log-order.ts';
import { useLive } from './use-live.ts';

const PAGE = 100;

/** Returns the rows of the log under some filters: the loaded pages, with live deliveries merged in. */
export function useDeliveryList(sourceId: string, filters: Filters) {
  const query = toQuery(sourceId, filters);
  const pages = useInfiniteQuery({
    queryKey: [ROUTES.deliveries.list.path, 'infinite', query],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        ROUTES.deliveries.list,
        { query: { ...query, limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    // Cached pages may lack newer deliveries, so they are shown and reloaded.
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data, refetch } = pages;
  const loaded = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const onGap = () => void refetch();
  const live = useLive({ sourceId, filters, loaded, isReloading: pages.isFetching, onGap });
  const rows = useMemo(() => inLogOrder(live.shown, loaded), [live.shown, loaded]);
  return { pages, live, rows };
}
