import type { DeliveryCount } from '@sluice/dashboard-api/deliveries';
import { REPROCESS_LIMIT } from '@sluice/dashboard-api/limits';
import type { DeliveryFilter, DeliverySearch } from '@sluice/store/deliveries/delivery-search';

/** Counts the rows that match, those that can be reprocessed, and those of them that were reprocessed before. */
export async function countMatching(search: DeliverySearch, filter: DeliveryFilter): Promise<DeliveryCount> {
  const able = { ...filter, with_body: true };
  const [matching, reprocessable] = await Promise.all([
    search.countDeliveries(filter),
    search.countDeliveries(able),
  ]);
  if (reprocessable > REPROCESS_LIMIT) return { matching, reprocessable, done: null };
  const done = await search.reprocessedAmong(await search.oldestIds(able, REPROCESS_LIMIT));
  return { matching, reprocessable, done: done.size };
}
