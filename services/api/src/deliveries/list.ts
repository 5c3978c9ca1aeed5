import { deliveryQuery } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { DeliverySearch } from '@sluice/store/deliveries/delivery-search';
import type { Binder } from '../http/bind.ts';
import { nextCursor } from '../http/cursor.ts';
import { done, notFound, refuse } from '../http/result.ts';
import { describeDelivery } from './describe-delivery.ts';
import { storeFilter } from './filter.ts';
import { type LogOfDeps, logOf } from './log-of.ts';
import { placeOf, readPlace } from './place.ts';

export interface ListDeliveriesDeps extends LogOfDeps {
  readonly deliverySearch: Pick<DeliverySearch, 'pageDeliveries'>;
}

const PAGE = 50;

/** The delivery log of a source, or of all, in pages, newest first. */
export function listDeliveries({ guarded }: Binder, deps: ListDeliveriesDeps): void {
  guarded(ROUTES.deliveries.list, { query: deliveryQuery }, async ({ who, query }) => {
    const log = await logOf(deps, who, query.source_id);
    if (log === undefined) return notFound('source');
    const after = query.cursor === undefined ? undefined : readPlace(query.cursor);
    if (query.cursor !== undefined && after === undefined)
      return refuse('bad_request', 'The cursor does not belong to this list. Reload the list.');
    const page = await deps.deliverySearch.pageDeliveries(storeFilter(query, log), {
      limit: query.limit ?? PAGE,
      ...(after !== undefined && { after }),
    });
    const next_cursor = nextCursor(page, placeOf);
    return done({ items: page.items.map(describeDelivery), next_cursor });
  });
}
