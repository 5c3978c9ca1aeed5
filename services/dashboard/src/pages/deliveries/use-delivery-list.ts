import { ROUTES } from '@sluice/dashboard-api/routes';
import { useMemo } from 'react';
import { usePages } from '../../api/queries.ts';
import { type Filters, toQuery } from './filter.ts';
import { inLogOrder } from './log-order.ts';
import { useLive } from './use-live.ts';

const PAGE = 100;

/** Returns the rows of the log under some filters: the loaded pages, with live deliveries merged in. */
export function useDeliveryList(sourceId: string, filters: Filters) {
  const query = toQuery(sourceId, filters);
  const pages = usePages(
    ROUTES.deliveries.list,
    { query: { ...query, limit: PAGE } },
    {
      // Cached pages may lack newer deliveries, so they are shown and reloaded.
      staleTime: 0,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  );
  const { data, refetch } = pages;
  const loaded = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const onGap = () => void refetch();
  const live = useLive({ sourceId, filters, loaded, isReloading: pages.isFetching, onGap });
  const rows = useMemo(() => inLogOrder(live.shown, loaded), [live.shown, loaded]);
  return { pages, live, rows };
}
