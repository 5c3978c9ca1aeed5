import type { Page } from '@sluice/store/reading/read-page';

/** Encodes the place where a list continues as opaque text. */
export function encodeCursor(place: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Decodes a cursor; undefined if it is invalid. `check` validates that it belongs to this list. */
export function decodeCursor<T>(text: string, check: (place: unknown) => place is T): T | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return check(place) ? place : undefined;
  } catch {
    return undefined;
  }
}

/** The cursor of the next page, built from this page's last item; null at the end of the list. */
export function nextCursor<Item>(
  { items, more }: Page<Item>,
  placeOf: (last: Item) => Parameters<typeof encodeCursor>[0],
): string | null {
  const last = items.at(-1);
  return more && last !== undefined ? encodeCursor(placeOf(last)) : null;
}
