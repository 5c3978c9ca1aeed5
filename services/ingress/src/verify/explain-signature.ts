import { describeSlip, SLIPS_TRIED } from '@sluice/signature/likely-slip';
import type { SenderHeaders } from '@sluice/signature/sender/compile-verifier';
import { describeSenderSlip, SENDER_SLIPS_TRIED } from '@sluice/signature/sender/sender-slip';
import type { SignatureHeaders } from '@sluice/signature/verify';
import { REFUSALS, type Refusal } from '../answer/refusal.ts';
import type { KnownSource } from './known-source.ts';

export interface BadlySigned {
  readonly source: Pick<KnownSource, 'key' | 'sender'>;
  readonly refusal: Refusal;
  readonly bytes: Uint8Array;
  readonly headers: SignatureHeaders;
  /** All headers, for another sender. */
  readonly values: SenderHeaders['values'];
}

/** Names the slip in the signature of a rejected request, if it is a usual one. Returns the refusal otherwise. */
export type ExplainSignature = (badlySigned: BadlySigned) => Refusal;

/** How much a process hashes for explanations in a second: 8 MiB, one explanation of the largest body. Bytes. */
const HASHED_PER_SECOND = 8 * 1024 * 1024;

/** The hash of a short text costs as much as that of this many bytes. */
const SHORTEST = 1024;

/**
 * A token bucket bounds the CPU time of explanations, so that a flood of wrong signatures costs no more than before. The
 * admission bounds them too: it is asked only about requests that get a row (100 a minute and source). `now`: milliseconds.
 */
export function createExplainSignature(now: () => number = () => performance.now()): ExplainSignature {
  let left = HASHED_PER_SECOND;
  let filledAt = now();

  function spend(bytes: number): boolean {
    const at = now();
    left = Math.min(HASHED_PER_SECOND, left + ((at - filledAt) / 1000) * HASHED_PER_SECOND);
    filledAt = at;
    if (left < bytes) return false;
    left -= bytes;
    return true;
  }

  function ofSender({ source: { key, sender }, refusal, bytes, values }: BadlySigned): Refusal {
    const profile = sender?.profile;
    if (profile?.kind !== 'hmac' || refusal.code !== 'signature_invalid') return refusal;
    if (refusal === REFUSALS.signature_of_old_secret) return refusal;
    if (!spend(SENDER_SLIPS_TRIED * (SHORTEST + bytes.length))) return refusal;
    const detail = describeSenderSlip({ profile, key, headers: values, bytes });
    return detail === null ? refusal : { ...refusal, detail };
  }

  return (badlySigned) => {
    const { source, refusal, bytes, headers } = badlySigned;
    if (source.sender !== undefined) return ofSender(badlySigned);
    const { signature = '', timestamp = '' } = headers;
    // Other refusals of a signature have their own explanation: its form, or the secret that was rotated.
    if (refusal !== REFUSALS.signature_invalid) return refusal;
    if (!spend(SLIPS_TRIED * (SHORTEST + bytes.length))) return refusal;
    const detail = describeSlip({ key: source.key, timestamp, body: bytes, signature });
    return detail === null ? refusal : { ...refusal, detail };
  };
}
