import { deliveryQuery } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { DeliveryPlace, DeliverySearch } from '@sluice/store/delivery-search';
import type { Binder } from '../http/bind.ts';
import { decodeCursor, nextCursor } from '../http/cursor.ts';
import { done, notFound, refuse } from '../http/result.ts';
import type { OwnSource } from '../sources/own-source.ts';
import { describeDelivery } from './describe-delivery.ts';
import { storeFilter } from './filter.ts';

export interface ListDeliveriesDeps {
  readonly ownSource: OwnSource;
  readonly deliverySearch: Pick<DeliverySearch, 'pageDeliveries'>;
}

const PAGE = 50;

/** The delivery log of a source in pages, newest first. */
export function listDeliveries({ guarded }: Binder, { ownSource, deliverySearch }: ListDeliveriesDeps): void {
  guarded(ROUTES.deliveries.list, { query: deliveryQuery }, async ({ who, query }) => {
    if ((await ownSource(who, query.source_id)) === undefined) return notFound('source');
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, isPlace);
    if (query.cursor !== undefined && after === undefined)
      return refuse('bad_request', 'The cursor does not belong to this list. Reload the list.');
    const page = await deliverySearch.pageDeliveries(storeFilter(query), {
      limit: query.limit ?? PAGE,
      ...(after !== undefined && { after: fromPlace(after) }),
    });
    const next_cursor = nextCursor(page, (last) => [last.received_at, last.sequence, last.delivery_id]);
    return done({ items: page.items.map(describeDelivery), next_cursor });
  });
}

type Place = readonly [receivedAt: number, sequence: number | null, deliveryId: string];

function isPlace(place: unknown): place is Place {
  if (!Array.isArray(place) || place.length !== 3) return false;
  const [receivedAt, sequence, deliveryId] = place as unknown[];
  const instant = Number.isSafeInteger(receivedAt) && Math.abs(receivedAt as number) <= 8.64e15;
  return instant && (sequence === null || Number.isSafeInteger(sequence)) && typeof deliveryId === 'string';
}

function fromPlace([received_at, sequence, delivery_id]: Place): DeliveryPlace {
  return { received_at, sequence, delivery_id };
}
