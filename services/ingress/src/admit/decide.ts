import type { RateState, Verdict } from '@sluice/admission/admit';
import { REFUSALS, type Refusal, rateLimited, tooManyBadSignatures } from '../answer/refusal.ts';
import type { Candidate } from './candidate.ts';

/** What the admission's verdict means for one request. */
export type Decision =
  | {
      readonly kind: 'accept';
      readonly sequence: number;
      readonly duplicate: boolean;
      readonly rate: RateState;
    }
  /** `logged`: it gets a row of its own; otherwise the script has counted it. */
  | {
      readonly kind: 'refuse';
      readonly refusal: Refusal;
      readonly logged: boolean;
      readonly rate: RateState | null;
    }
  /** The source is not as it was when the request was verified. */
  | { readonly kind: 'verify_again' };

/** Every verdict has its decision: a forgotten one does not compile. */
export function decide(candidate: Candidate, verdict: Verdict, nowMs: number): Decision {
  switch (verdict.outcome) {
    case 'admitted':
    case 'duplicate':
      return accept(verdict);
    case 'stale':
    case 'changing':
      return { kind: 'verify_again' };
    case 'inactive':
      return refuse(REFUSALS.source_inactive, verdict.rate);
    case 'rate_limited':
      return refuse(rateLimited(verdict.retryAfterSeconds), verdict.rate);
    case 'plan_limit':
      return refuse(REFUSALS.plan_limit_reached, verdict.rate);
    case 'backlog_full':
      return refuse(REFUSALS.backlog_full, verdict.rate);
    case 'refused':
      return refuse(ownRefusal(candidate), verdict.rate);
    case 'refused_unverified':
      return { kind: 'refuse', refusal: ownRefusal(candidate), logged: verdict.logged, rate: null };
    case 'too_many_bad_signatures': {
      // The minute is Redis's, and so is what is left of it.
      const refusal = { ...tooManyBadSignatures(nowMs), retryAfterSeconds: verdict.retryAfterSeconds };
      return { kind: 'refuse', refusal, logged: false, rate: null };
    }
  }
}

function accept(verdict: { outcome: 'admitted' | 'duplicate'; sequence: number; rate: RateState }): Decision {
  return {
    kind: 'accept',
    sequence: verdict.sequence,
    duplicate: verdict.outcome === 'duplicate',
    rate: verdict.rate,
  };
}

function refuse(refusal: Refusal, rate: RateState): Decision {
  return { kind: 'refuse', refusal, logged: true, rate };
}

function ownRefusal({ verified, requestId }: Candidate): Refusal {
  if (verified.outcome === 'refused') return verified.refusal;
  throw new Error(`the admission refused ${requestId}, which asked to be admitted`);
}
