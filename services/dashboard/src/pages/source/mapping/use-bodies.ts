import type { DeliveryDetail, DeliveryItem } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQueries } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { reading, useRead } from '../../../api/queries.ts';
import type { Stored } from './mapper.ts';

const SHOWN = 20;
/** Some requests have no body. */
const READ = 50;
const REFRESH_MS = 5000;

export interface Body {
  readonly delivery: DeliveryItem;
  /** null: it is not stored. */
  readonly body: Stored | null;
}

/** The last bodies of a source, newest first. The delivery that the address names comes first. */
export function useBodies(sourceId: string) {
  const named = useSearchParams()[0].get('delivery');
  const list = useRead(
    ROUTES.deliveries.list,
    { query: { source_id: sourceId, limit: READ } },
    { everyMs: REFRESH_MS },
  );
  const last = (list.data?.items ?? []).filter(({ bytes, origin }) => bytes !== null && origin === 'webhook');
  const ids = last.map(({ delivery_id: id }) => id).filter((id) => id !== named);
  const wanted = [...(named === null ? [] : [named]), ...ids].slice(0, SHOWN);
  const items = useQueries({
    queries: wanted.map((deliveryId) => ({
      ...reading(ROUTES.deliveries.show, { params: { deliveryId } }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    // It keeps the bodies that are the same, so that they are not mapped again.
    combine: (details) =>
      details.flatMap(({ data }) => (data?.delivery.source_id === sourceId ? [bodyOf(data)] : [])),
  });
  return { list, items, named };
}

function bodyOf({ delivery, request: { body: text, headers } }: DeliveryDetail): Body {
  return { delivery, body: text === null ? null : { text, contentType: headers['Content-Type'] ?? '' } };
}
