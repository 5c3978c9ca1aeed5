import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';

/**
 * Merges live and loaded deliveries in the order of the log (`NEWEST_FIRST` of packages/store): newest first, each
 * once. Workers write batches concurrently, so deliveries may arrive out of order. The live version wins, unless it is that of a
 * counter row which has grown since.
 */
export function inLogOrder(
  live: readonly DeliveryItem[],
  loaded: readonly DeliveryItem[],
): readonly DeliveryItem[] {
  if (live.length === 0) return loaded;
  const known = new Map(loaded.map((item) => [item.delivery_id, item]));
  for (const item of live) {
    const other = known.get(item.delivery_id);
    if (other === undefined || other.count <= item.count) known.set(item.delivery_id, item);
  }
  return [...known.values()].sort(newestFirst);
}

function newestFirst(a: DeliveryItem, b: DeliveryItem): number {
  return (
    descending(a.received_at, b.received_at) ||
    // A rejected request has no sequence and comes last, as MongoDB sorts null.
    descending(a.sequence ?? 0, b.sequence ?? 0) ||
    descending(a.delivery_id, b.delivery_id)
  );
}

/** Compares strings by code unit: instants and ids are ASCII. */
function descending<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? 1 : -1;
}
