import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';

/**
 * What came live and what was loaded as one list, as the log has it (`NEWEST_FIRST` of packages/store): each delivery
 * once, newest first. Workers write groups side by side, so a delivery may come live before an earlier one.
 * What came live knows best: a counter row may have grown.
 */
export function inLogOrder(
  live: readonly DeliveryItem[],
  loaded: readonly DeliveryItem[],
): readonly DeliveryItem[] {
  if (live.length === 0) return loaded;
  const known = new Map([...loaded, ...live].map((item) => [item.delivery_id, item]));
  return [...known.values()].sort(newestFirst);
}

function newestFirst(a: DeliveryItem, b: DeliveryItem): number {
  return (
    descending(a.received_at, b.received_at) ||
    // A refusal has no sequence and comes last, as MongoDB sorts null.
    descending(a.sequence ?? 0, b.sequence ?? 0) ||
    descending(a.delivery_id, b.delivery_id)
  );
}

/** Of texts by their code units: instants and ids are ASCII. */
function descending<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? 1 : -1;
}
