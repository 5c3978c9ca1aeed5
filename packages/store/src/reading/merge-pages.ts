import type { Page } from './read-page.ts';

/**
 * Merges pages of lists that are in the same order into one page of at most `limit` items. A page that was cut knows nothing of
 * what follows its last item, so the merged page ends there at the latest. `compare` is negative if its first argument comes
 * first.
 */
export function mergePages<Item>(
  pages: readonly Page<Item>[],
  limit: number,
  compare: (a: Item, b: Item) => number,
): Page<Item> {
  const [only] = pages;
  if (pages.length === 1 && only !== undefined) return only;
  const ends = pages.filter(({ more }) => more).flatMap(({ items }) => items.at(-1) ?? []);
  const [end] = ends.sort(compare);
  const all = pages.flatMap(({ items }) => items).sort(compare);
  const known = end === undefined ? all : all.filter((item) => compare(item, end) <= 0);
  return { items: known.slice(0, limit), more: end !== undefined || known.length > limit };
}

/** Compares ids as the server does. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Sources of one query. A server that sorts by an index reads one range of it for each source: MongoDB up to 200 of them. */
const SOURCES_AT_ONCE = 100;

/** Splits the ids of many sources, so that an index sorts each part. */
export function sourceParts(sourceIds: readonly string[]): readonly (readonly string[])[] {
  if (sourceIds.length <= SOURCES_AT_ONCE) return [sourceIds];
  return Array.from({ length: Math.ceil(sourceIds.length / SOURCES_AT_ONCE) }, (_, part) =>
    sourceIds.slice(part * SOURCES_AT_ONCE, (part + 1) * SOURCES_AT_ONCE),
  );
}
