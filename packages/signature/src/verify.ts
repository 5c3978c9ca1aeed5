import { timingSafeEqual } from 'node:crypto';
import { HmacSha256 } from './hmac-sha256.ts';
import { SIGNATURE_PREFIX } from './sign.ts';

/** A request is refused when its timestamp is further than this from the clock, in either direction (service.md 5.2). */
export const MAX_AGE_SECONDS = 300;

/** The headers of one request; undefined where absent. */
export interface SignatureHeaders {
  readonly signature: string | undefined;
  readonly timestamp: string | undefined;
}

/** What can be said of a request's headers without its secret. */
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

/** More reach beyond any date, stay not exact in a JavaScript number, and need not be kept with the request. */
const MOST_DIGITS = 15;

/** From here on a number of "seconds" is past the year 5000, so it was meant as milliseconds. */
const SURELY_MILLISECONDS = 100_000_000_000;

/**
 * Checks 5 to 7 of the design's table, in that order: signature there, timestamp decimal, not too old or ahead.
 * Cheap and free of the secret, so that they come before anything is hashed.
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

/** A signing secret ready to verify with: its UTF-8 bytes are the key, `whsec_` included (see signBody). */
export function verifyingKey(secret: string): HmacSha256 {
  return new HmacSha256(Buffer.from(secret, 'utf8'));
}

const FORM = /^sha256=[0-9a-f]{64}$/;

/**
 * Check 8: is the signature header right for these bytes? The comparison takes the same time wherever the
 * two differ; only the header's form, which is no secret, is looked at before.
 */
export function checkSignature(
  key: HmacSha256,
  timestamp: string,
  body: Uint8Array,
  signature: string,
): boolean {
  if (!FORM.test(signature)) return false;
  const expected = SIGNATURE_PREFIX + key.digest(`${timestamp}.`, body);
  return timingSafeEqual(Buffer.from(signature, 'latin1'), Buffer.from(expected, 'latin1'));
}

const TOO_MANY_DIGITS = `X-Service-Timestamp has more than ${MOST_DIGITS} digits. Send Unix time in seconds.`;

function describeAge(seconds: number, ageSeconds: number): string {
  if (seconds >= SURELY_MILLISECONDS) {
    return 'X-Service-Timestamp looks like milliseconds. Send Unix time in seconds.';
  }
  const where = ageSeconds > 0 ? `${ageSeconds} seconds old` : `${-ageSeconds} seconds ahead`;
  return `X-Service-Timestamp is ${where}; at most ${MAX_AGE_SECONDS} are accepted. Check the sender's clock, and sign anew what is older.`;
}
