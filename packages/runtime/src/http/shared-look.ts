export interface SharedLookSettings<T> {
  readonly look: () => Promise<T>;
  /** How long a result is reused, in milliseconds. Default: only while the look is under way. */
  readonly freshMs?: (result: T) => number;
  /** Milliseconds, of a clock that only goes forward. */
  readonly now?: () => number;
}

/**
 * Makes many askers cost one look: they share the look under way, and its result while it is fresh. A look that rejects
 * rejects for all who share it, and the next asker looks again.
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
