/** The longest wait that a sender may ask for. Seconds. */
export const MAX_WAIT_SECONDS = 5;

/** Longer headers are ignored. */
const MAX_LENGTH = 200;

/** Quoted texts and characters up to the next comma. An open quote reaches to the end, so no character is read twice. */
const PREFERENCE = /(?:"(?:[^"\\]|\\.)*"?|[^,"])+/g;
const WAIT = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;

/**
 * How long the sender waits for the result, by `Prefer: wait=N` (RFC 7240), in whole seconds and at most 5. 0 if it does not
 * wait. The first preference of a name counts, and unknown or malformed ones are ignored.
 */
export function waitSecondsOf(prefer: string | readonly string[] | undefined): number {
  if (typeof prefer !== 'string' || prefer.length > MAX_LENGTH) return 0;
  for (const [preference] of prefer.matchAll(PREFERENCE)) {
    const seconds = WAIT.exec(preference)?.[1];
    if (seconds !== undefined) return Math.min(Number(seconds), MAX_WAIT_SECONDS);
  }
  return 0;
}
