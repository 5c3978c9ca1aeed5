import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQueries } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { reading, useRead } from '../../../api/queries.ts';

const SHOWN = 20;
/** Some requests have no body. */
const READ = 50;
const REFRESH_MS = 5000;

export interface Body {
  readonly delivery: DeliveryItem;
  /** null: it is not stored. */
  readonly body: string | null;
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
  const details = useQueries({
    queries: wanted.map((deliveryId) => ({
      ...reading(ROUTES.deliveries.show, { params: { deliveryId } }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const items: Body[] = details.flatMap(({ data }) =>
    data?.delivery.source_id === sourceId ? [{ delivery: data.delivery, body: data.request.body }] : [],
  );
  return { list, items, named };
}
