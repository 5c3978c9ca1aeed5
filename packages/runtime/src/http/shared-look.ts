export interface SharedLookSettings<T> {
  readonly look: () => Promise<T>;
  /** How long a result is reused, in milliseconds. Default: only while the look is under way. */
  readonly freshMs?: (result: T) => number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Shares one look among many callers: they get the look under way, or its result while it is fresh. A failed look rejects
 * for all its callers, and the next caller looks again.
 */
export function shareLook<T>({
  look,
  freshMs = () => 0,
  now = () => performance.now(),
}: SharedLookSettings<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  let freshUntil = Number.POSITIVE_INFINITY;

  function begin(): Promise<T> {
    freshUntil = Number.POSITIVE_INFINITY;
    return look().then(
      (result) => {
        freshUntil = now() + freshMs(result);
        return result;
      },
      (error: unknown) => {
        freshUntil = Number.NEGATIVE_INFINITY;
        throw error;
      },
    );
  }

  return () => {
    if (shared === undefined || now() >= freshUntil) shared = begin();
    return shared;
  };
}
