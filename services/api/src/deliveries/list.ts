import { deliveryQuery } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { DeliverySearch } from '@sluice/store/delivery-search';
import type { Binder } from '../http/bind.ts';
import { nextCursor } from '../http/cursor.ts';
import { done, notFound, refuse } from '../http/result.ts';
import type { OwnSource } from '../sources/own-source.ts';
import { describeDelivery } from './describe-delivery.ts';
import { storeFilter } from './filter.ts';
import { placeOf, readPlace } from './place.ts';

export interface ListDeliveriesDeps {
  readonly ownSource: OwnSource;
  readonly deliverySearch: Pick<DeliverySearch, 'pageDeliveries'>;
}

const PAGE = 50;

/** The delivery log of a source in pages, newest first. */
export function listDeliveries({ guarded }: Binder, { ownSource, deliverySearch }: ListDeliveriesDeps): void {
  guarded(ROUTES.deliveries.list, { query: deliveryQuery }, async ({ who, query }) => {
    if ((await ownSource(who, query.source_id)) === undefined) return notFound('source');
    const after = query.cursor === undefined ? undefined : readPlace(query.cursor);
    if (query.cursor !== undefined && after === undefined)
      return refuse('bad_request', 'The cursor does not belong to this list. Reload the list.');
    const page = await deliverySearch.pageDeliveries(storeFilter(query), {
      limit: query.limit ?? PAGE,
      ...(after !== undefined && { after }),
    });
    const next_cursor = nextCursor(page, placeOf);
    return done({ items: page.items.map(describeDelivery), next_cursor });
  });
}
