import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_PREFIX } from './sign.ts';
import { SLIPS, slipsOf } from './slips.ts';
import type { VerifyingKey } from './verify.ts';

/** A wrong signature of the right form (signature-form.ts), with what it should have signed. */
export interface WrongSignature {
  readonly key: VerifyingKey;
  readonly timestamp: string;
  readonly body: Uint8Array;
  readonly signature: string;
}

/** The most often that `describeSlip` hashes a body. */
export const SLIPS_TRIED = SLIPS;

/**
 * Names the usual slip that leads to this signature; null for any other signature. It finds a slip only if the sender knows the
 * secret: each is the HMAC of a key with all of the secret's randomness. Each comparison takes the same time wherever the two
 * differ. All slips are tried, so that the time does not depend on which one it is.
 */
export function describeSlip(wrong: WrongSignature): string | null {
  const found = Buffer.from(wrong.signature, 'latin1');
  let detail: string | null = null;
  const secret = wrong.key.export().toString('utf8');
  for (const slip of slipsOf({ ...wrong, secret })) {
    const hmac = createHmac('sha256', slip.key);
    for (const part of slip.signed) hmac.update(part);
    const made = Buffer.from(SIGNATURE_PREFIX + hmac.digest('hex'), 'latin1');
    if (made.length === found.length && timingSafeEqual(made, found)) detail ??= slip.detail;
  }
  return detail;
}
