import type { Page } from '@sluice/store/reading/read-page';
import * as z from 'zod';
import { type Refusal, refuse } from './result.ts';

/** Encodes the place where a list continues as opaque text. */
export function encodeCursor(place: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** A time in a cursor. Milliseconds since the Unix epoch. */
export const placeTime = z.int().min(-8.64e15).max(8.64e15);

/** Reads a cursor: its place, none without a cursor, or a refusal if it is not one of this list, whose places have the shape `place`. */
export function readCursor<T>(
  cursor: string | undefined,
  place: z.ZodType<T>,
): { readonly outcome: 'read'; readonly place?: T } | Refusal {
  if (cursor === undefined) return { outcome: 'read' };
  try {
    const decoded: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return { outcome: 'read', place: place.parse(decoded) };
  } catch {
    return OTHER_CURSOR;
  }
}

const OTHER_CURSOR = refuse('bad_request', 'The cursor does not belong to this list. Reload the list.');

/** The cursor of the next page, built from this page's last item; null at the end of the list. */
export function nextCursor<Item>(
  { items, more }: Page<Item>,
  placeOf: (last: Item) => Parameters<typeof encodeCursor>[0],
): string | null {
  const last = items.at(-1);
  return more && last !== undefined ? encodeCursor(placeOf(last)) : null;
}
