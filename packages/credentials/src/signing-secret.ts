import { randomBase62 } from './random-base62.ts';

/** A new signing secret: `whsec_` and 43 characters of base 62 (256 bits). The whole string is the HMAC key. */
export function newSigningSecret(): string {
  return `whsec_${randomBase62(43)}`;
}
