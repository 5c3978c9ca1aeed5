/** Where a list goes on, as text that callers hand back unread. */
export function encodeCursor(place: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** undefined where it is none of ours; `check` says whether it is one of this list. */
export function decodeCursor<T>(text: string, check: (place: unknown) => place is T): T | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return check(place) ? place : undefined;
  } catch {
    return undefined;
  }
}

/** Of what was read, one more than a page: the page, and whether there is more. */
export function cutPage<T>(
  found: readonly T[],
  limit: number,
): { readonly items: readonly T[]; readonly last: T | undefined } {
  const items = found.slice(0, limit);
  return { items, last: found.length > limit ? items.at(-1) : undefined };
}
