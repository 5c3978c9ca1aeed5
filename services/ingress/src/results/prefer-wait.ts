/** The longest wait that a sender may ask for. Seconds. */
export const MAX_WAIT_SECONDS = 5;

/** A quoted text, or the characters up to the next comma. */
const PREFERENCE = /(?:"(?:[^"\\]|\\.)*"|[^,"])+/g;
const WAIT = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;

/**
 * How long the sender waits for the result, by `Prefer: wait=N` (RFC 7240), in whole seconds and at most 5. 0 if it does not
 * wait. The first preference of a name counts, and unknown or malformed ones are ignored.
 */
export function waitSecondsOf(prefer: string | readonly string[] | undefined): number {
  if (typeof prefer !== 'string') return 0;
  for (const [preference] of prefer.matchAll(PREFERENCE)) {
    const seconds = WAIT.exec(preference)?.[1];
    if (seconds !== undefined) return Math.min(Number(seconds), MAX_WAIT_SECONDS);
  }
  return 0;
}
