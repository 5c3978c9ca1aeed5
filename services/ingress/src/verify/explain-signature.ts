import { describeSlip, SLIPS_TRIED } from '@sluice/signature/likely-slip';
import type { SignatureHeaders } from '@sluice/signature/verify';
import { REFUSALS, type Refusal } from '../answer/refusal.ts';
import type { KnownSource } from './known-source.ts';

export interface BadlySigned {
  readonly source: Pick<KnownSource, 'key'>;
  readonly refusal: Refusal;
  readonly bytes: Uint8Array;
  readonly headers: SignatureHeaders;
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

  return ({ source, refusal, bytes, headers: { signature = '', timestamp = '' } }) => {
    // Other refusals of a signature have their own explanation: its form, or the secret that was rotated.
    if (refusal !== REFUSALS.signature_invalid) return refusal;
    if (!spend(SLIPS_TRIED * (SHORTEST + bytes.length))) return refusal;
    const detail = describeSlip({ key: source.key, timestamp, body: bytes, signature });
    return detail === null ? refusal : { ...refusal, detail };
  };
}
