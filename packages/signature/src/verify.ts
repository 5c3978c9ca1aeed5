import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_PREFIX } from './sign.ts';

/** The largest accepted distance between the timestamp and the clock, in either direction (docs/limits.md). */
export const MAX_AGE_SECONDS = 300;

/** The headers of one request; undefined where absent. */
export interface SignatureHeaders {
  readonly signature: string | undefined;
  readonly timestamp: string | undefined;
}

/** The result of the checks that need no secret. */
export type HeaderVerdict =
  | {
      readonly outcome: 'plausible';
      readonly signature: string;
      readonly timestamp: string;
      readonly seconds: number;
    }
  | { readonly outcome: 'signature_missing' }
  | { readonly outcome: 'timestamp_invalid'; readonly detail: string }
  | { readonly outcome: 'timestamp_expired'; readonly detail: string };

const DECIMAL = /^\d+$/;

/** A longer number is past any date, and is not exact as a JavaScript number. */
const MOST_DIGITS = 15;

/** A number of seconds from here on is past the year 5000, so the sender probably sent milliseconds. */
const SURELY_MILLISECONDS = 100_000_000_000;

/**
 * Checks in this order (docs/errors.md): the signature is present, the timestamp is decimal, and it is near the clock.
 * These checks are cheap and need no secret, so they run before anything is hashed.
 */
export function checkHeaders(headers: SignatureHeaders, nowMs: number): HeaderVerdict {
  const { signature, timestamp } = headers;
  if (signature === undefined || signature === '') return { outcome: 'signature_missing' };
  if (timestamp === undefined || !DECIMAL.test(timestamp)) {
    const found = timestamp === undefined ? 'is missing' : 'is not a decimal number of seconds';
    return {
      outcome: 'timestamp_invalid',
      detail: `X-Service-Timestamp ${found}. Send the current Unix time.`,
    };
  }
  if (timestamp.length > MOST_DIGITS) return { outcome: 'timestamp_expired', detail: TOO_MANY_DIGITS };
  const seconds = Number(timestamp);
  const ageSeconds = Math.floor(nowMs / 1000) - seconds;
  if (Math.abs(ageSeconds) <= MAX_AGE_SECONDS) return { outcome: 'plausible', signature, timestamp, seconds };
  return { outcome: 'timestamp_expired', detail: describeAge(seconds, ageSeconds) };
}

/** A signing secret ready to verify with. A KeyObject never shows its bytes in a log line or an error. */
export type VerifyingKey = KeyObject;

/** The key is the UTF-8 bytes of the secret, `whsec_` included (see signBody). */
export function verifyingKey(secret: string): VerifyingKey {
  return createSecretKey(secret, 'utf8');
}

const FORM = /^sha256=[0-9a-f]{64}$/;

/**
 * Check 8: returns whether the signature header matches these bytes. The comparison takes the same time wherever the two
 * differ. Only the form of the header, which is not secret, is checked before.
 */
export function checkSignature(
  key: VerifyingKey,
  timestamp: string,
  body: Uint8Array,
  signature: string,
): boolean {
  if (!FORM.test(signature)) return false;
  const digest = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
  const expected = SIGNATURE_PREFIX + digest;
  return timingSafeEqual(Buffer.from(signature, 'latin1'), Buffer.from(expected, 'latin1'));
}

const TOO_MANY_DIGITS = `X-Service-Timestamp has more than ${MOST_DIGITS} digits. Send Unix time in seconds.`;

function describeAge(seconds: number, ageSeconds: number): string {
  if (seconds >= SURELY_MILLISECONDS) {
    return 'X-Service-Timestamp looks like milliseconds. Send Unix time in seconds.';
  }
  const isOld = ageSeconds > 0;
  const where = isOld ? `${ageSeconds} seconds old` : `${-ageSeconds} seconds ahead`;
  const remedy = isOld
    ? "the sender's clock, and sign an older request again."
    : "the sender's clock: it is ahead.";
  return `X-Service-Timestamp is ${where}; at most ${MAX_AGE_SECONDS} are accepted. Check ${remedy}`;
}
