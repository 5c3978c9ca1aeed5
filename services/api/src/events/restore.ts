import type { UpsertAction } from '@sluice/contract/action';
import type { Delivery } from '@sluice/contract/delivery';
import type { WantedAction } from '@sluice/management/wanted-action';
import type { DeliverySearch } from '@sluice/store/delivery-search';
import type { ListedEvent } from '@sluice/store/listed-event';
import { readKeptAction } from '../deliveries/reprocessable.ts';

const HISTORY = 100;

/**
 * The action that restores an event: a cancelled one is upcoming again, and a deleted one gets the content of its last
 * stored upsert. Undefined: no stored delivery has the content of the deleted event.
 */
export async function restoring(
  { historyWithBodies }: Pick<DeliverySearch, 'historyWithBodies'>,
  event: ListedEvent,
): Promise<WantedAction | undefined> {
  if (event.deleted_at === null) return { action: upsertOf(event) };
  const rows = await historyWithBodies(event.event_id, HISTORY);
  for (const row of rows) {
    const action = storedUpsert(row);
    if (action !== undefined) return { action };
  }
  return undefined;
}

function storedUpsert(row: Delivery): UpsertAction | undefined {
  const kept = readKeptAction(row);
  if (kept.status !== 'action' || kept.action.kind !== 'upsert') return undefined;
  return { ...kept.action, status: 'upcoming' };
}

function upsertOf(event: ListedEvent): UpsertAction {
  const { title, starts_at, location, ends_at, description, url, price, recurring, recurs_until, time_zone } =
    event;
  return {
    kind: 'upsert',
    identity: { title, starts_at, location: location ?? '' },
    content: {
      ...(ends_at !== null && { ends_at }),
      ...(description !== null && { description }),
      ...(url !== null && { url }),
      ...(price !== null && { price }),
      ...(recurring !== null && { recurring }),
      ...(recurs_until !== null && { recurs_until }),
      ...(time_zone !== null && { time_zone }),
    },
    status: 'upcoming',
  };
}
