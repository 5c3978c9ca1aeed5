import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useEffect, useEffectEvent } from 'react';
import { urlOf } from '../../api/api-client.ts';
import { isChannelId, LATEST_DELIVERY } from '../../shell/page-links.ts';
import { dialogOnDemand, onDemand } from '../../ui/on-demand.tsx';
import { Card } from '../../ui/page.tsx';
import { Listed } from '../../ui/states.tsx';
import { useOpened } from '../../ui/use-opened.tsx';
import { DeliveryList, focusRow } from './delivery-list.tsx';
import type { Names } from './delivery-row.tsx';
import { type Filters, toQuery } from './filter.ts';
import { DeliveryFilters, FilterChips, useFilters } from './filter-bar.tsx';
import { LiveBar } from './live-bar.tsx';
import { MatchCount } from './match-count.tsx';
import { useDeliveryList } from './use-delivery-list.ts';

/** Few logs are empty. */
const NoDeliveries = onDemand(async () => (await import('./no-deliveries.tsx')).NoDeliveries);
const DeliveryDrawer = dialogOnDemand(
  async () => (await import('../drawer/delivery-drawer.tsx')).DeliveryDrawer,
);
const ReprocessMatchingDialog = dialogOnDemand(
  async () => (await import('./reprocess-matching-dialog.tsx')).ReprocessMatchingDialog,
  { afresh: true },
);

const EXPORTS = [
  { label: 'CSV', format: 'csv' },
  { label: 'NDJSON', format: 'ndjson' },
] as const;

interface DeliveriesProps {
  /** The id of a source or a channel; empty: all. */
  readonly sourceId: string;
  readonly mayChange: boolean;
  /** The names of sources and channels by id, for the rows of all. */
  readonly names?: Names;
}

/** The delivery log of a source or channel, or of all, live. */
export function Deliveries({ sourceId, mayChange, names }: DeliveriesProps) {
  const filter = useFilters();
  const { pages, live, rows } = useDeliveryList(sourceId, filter.filters);
  const { openId, open, close } = useOpened('delivery', focusRow);
  const asksForLatest = openId === LATEST_DELIVERY;
  // Rows of the cache may be old.
  const latest = asksForLatest && pages.isFetchedAfterMount ? rows[0]?.delivery_id : undefined;
  const openLatest = useEffectEvent(open);
  useEffect(() => {
    if (latest !== undefined) openLatest(latest);
  }, [latest]);
  const [asking, ask] = useDisclosure(false);
  const isFiltered = Object.keys(filter.filters).length > 0;
  return (
    <div className="stack-small">
      <DeliveryFilters {...filter} isChannel={sourceId === '' ? null : isChannelId(sourceId)} />
      <FilterChips {...filter} />
      <LiveBar
        live={live}
        onReprocess={mayChange && sourceId !== '' && rows.length > 0 ? ask.open : null}
        matching={<MatchCount sourceId={sourceId} filters={filter.filters} />}
        exports={rows.length > 0 ? exportLinks(sourceId, filter.filters) : null}
      />
      <Card flush>
        <Listed
          list={{ ...pages, items: rows }}
          rows={8}
          empty={
            <NoDeliveries
              sourceId={sourceId}
              isFiltered={isFiltered}
              title={(filter.filters.title ?? '').trim()}
              onClear={filter.clear}
              mayTest={mayChange}
            />
          }
        >
          <DeliveryList
            rows={rows}
            hasMore={pages.hasNextPage}
            isLoadingMore={pages.isFetchingNextPage}
            moreError={pages.isFetchNextPageError ? pages.error : null}
            onMore={pages.fetchNextPage}
            onOpen={open}
            names={names}
          />
        </Listed>
      </Card>
      <DeliveryDrawer
        opened={openId !== null && !asksForLatest}
        deliveryId={asksForLatest ? null : openId}
        mayChange={mayChange}
        onClose={close}
        onOpen={open}
      />
      {mayChange && sourceId !== '' && (
        <ReprocessMatchingDialog
          opened={asking}
          sourceId={sourceId}
          filters={filter.filters}
          onClose={ask.close}
        />
      )}
    </div>
  );
}

function exportLinks(sourceId: string, filters: Filters) {
  const query = toQuery(sourceId, filters);
  return EXPORTS.map(({ label, format }) => ({
    label,
    url: urlOf(ROUTES.deliveries.export, {}, { ...query, format }),
  }));
}
