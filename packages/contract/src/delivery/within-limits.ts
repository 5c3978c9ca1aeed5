/** The limits of a group: a number of items, and a total size. */
export interface Limits<Item> {
  readonly sizeOf: (item: Item) => number;
  readonly maxItems: number;
  readonly maxSize: number;
}

/** The number of items from `from` that fit into a group. One item always fits, whatever its size. */
export function countWithin<Item>(items: readonly Item[], limits: Limits<Item>, from = 0): number {
  let size = 0;
  for (let i = from; i < items.length; i++) {
    size += limits.sizeOf(items[i] as Item);
    if (i > from && (i - from >= limits.maxItems || size > limits.maxSize)) return i - from;
  }
  return items.length - from;
}

/** Splits all items into groups within the limits, in their order. */
export function groupsWithin<Item>(items: readonly Item[], limits: Limits<Item>): Item[][] {
  const groups: Item[][] = [];
  for (let at = 0; at < items.length; ) {
    const end = at + countWithin(items, limits, at);
    groups.push(items.slice(at, end));
    at = end;
  }
  return groups;
}
