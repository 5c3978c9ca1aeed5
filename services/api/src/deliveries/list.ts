import { formatInstant } from '@sluice/contract/time/instant';
import { deliveryChangesQuery, deliveryQuery } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { WRITTEN_WITHIN_MS } from '@sluice/store/deliveries/delivery-search';
import type { Binder } from '../http/bind.ts';
import { nextCursor, readCursor } from '../http/cursor.ts';
import { done, notFound } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { describeDelivery } from './describe-delivery.ts';
import { storeFilter } from './filter.ts';
import { logOf } from './log-of.ts';
import { DELIVERY_PLACE, placeOf } from './place.ts';

const PAGE = 50;

/** More new rows at once reload the list. */
const CHANGES_PAGE = 200;

/** The delivery log of a source, or of all, in pages, newest first. */
export function listDeliveries({ guarded }: Binder, deps: RouteDeps): void {
  guarded(ROUTES.deliveries.list, { query: deliveryQuery }, async ({ who, query }) => {
    const log = await logOf(deps, who, query.source_id);
    if (log === undefined) return notFound('source');
    const from = readCursor(query.cursor, DELIVERY_PLACE);
    if (from.outcome === 'refused') return from;
    const { place: after } = from;
    const page = await deps.deliverySearch.pageDeliveries(storeFilter(query, log), {
      limit: query.limit ?? PAGE,
      ...(after !== undefined && { after }),
    });
    const next_cursor = nextCursor(page, placeOf);
    return done({ items: page.items.map(describeDelivery), next_cursor });
  });
}

/**
 * New rows since the newest that the page knows. One read of the end of an index, without the filters of the page, which would
 * have to search the log. The next read begins at the newest row instead of the clock: while workers are behind, it waits for them.
 */
export function changedDeliveries({ guarded }: Binder, deps: RouteDeps): void {
  guarded(
    ROUTES.deliveries.changes,
    { query: deliveryChangesQuery },
    async ({ who, query: { source_id, since } }) => {
      const log = await logOf(deps, who, source_id);
      if (log === undefined) return notFound('source');
      const { pageDeliveries } = deps.deliverySearch;
      const now = deps.now();
      if (since === undefined) {
        const [newest] = (await pageDeliveries({ source_id: log }, { limit: 1 })).items;
        return done({
          items: [],
          more: false,
          until: formatInstant(Math.min(now, newest?.received_at ?? now)),
        });
      }
      const filter = { source_id: log, from: since - WRITTEN_WITHIN_MS };
      const { items, more } = await pageDeliveries(filter, { limit: CHANGES_PAGE });
      return done({
        items: items.map(describeDelivery),
        more: more && (items.at(-1)?.received_at ?? since) > since,
        // A row from an ingress whose clock is ahead must not hide those of the others.
        until: formatInstant(Math.min(now, items[0]?.received_at ?? since)),
      });
    },
  );
}
