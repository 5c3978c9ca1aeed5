export interface RecentDeps<Value> {
  readonly read: (key: string) => Promise<Value>;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
}

export interface Recent<Value> {
  /** The value as read at most a second ago. Concurrent callers share a read. Rejects as the read does. */
  of(key: string): Promise<Value>;
}

const KEPT_MS = 1000;
const MOST_KEPT = 10_000;

/** Remembers what was read for a second, where an older value does no harm. A failed read is repeated by the next caller. */
export function createRecent<Value>({ read, now }: RecentDeps<Value>): Recent<Value> {
  const kept = new Map<string, { readonly value: Promise<Value>; readonly until: number }>();
  return {
    of(key) {
      const known = kept.get(key);
      if (known !== undefined && known.until > now()) return known.value;
      if (kept.size >= MOST_KEPT) kept.clear();
      const value = read(key);
      kept.set(key, { value, until: now() + KEPT_MS });
      value.catch(() => kept.get(key)?.value === value && kept.delete(key));
      return value;
    },
  };
}
