import type { RateState, Verdict } from '@sluice/admission/verdict';
import {
  REFUSALS,
  type Refusal,
  rateLimited,
  tooManyBadSignatures,
  type Unapplied,
} from '../answer/refusal.ts';
import type { Candidate } from './rows.ts';

/** The decision on one request, made from the admission's verdict. */
export type Decision =
  | {
      readonly kind: 'accept';
      readonly sequence: number;
      readonly duplicate: boolean;
      readonly rate: RateState;
    }
  /** `logged`: it gets a separate row in the log. Otherwise the script has counted it. */
  | {
      readonly kind: 'refuse';
      readonly refusal: Refusal;
      readonly logged: boolean;
      readonly rate: RateState | null;
    }
  /** A signed request for no event. It gets a 200, and a row unless the script has counted it. */
  | {
      readonly kind: 'unapplied';
      readonly unapplied: Unapplied;
      readonly logged: boolean;
      readonly rate: RateState;
    }
  /** The source has changed since the request was verified. */
  | { readonly kind: 'verify_again' }
  /** Redis has not responded in time. */
  | { readonly kind: 'unavailable' };

export const UNAVAILABLE: Decision = { kind: 'unavailable' };

/** Maps each verdict to a decision. A missing verdict does not compile. */
export function decide(candidate: Candidate, verdict: Verdict, nowMs: number): Decision {
  switch (verdict.outcome) {
    case 'admitted':
      return { kind: 'accept', sequence: verdict.sequence, duplicate: false, rate: verdict.rate };
    case 'duplicate':
      return { kind: 'accept', sequence: verdict.sequence, duplicate: true, rate: verdict.rate };
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
    case 'refused': {
      const { verified } = candidate;
      return verified.outcome === 'unapplied'
        ? { kind: 'unapplied', unapplied: verified.unapplied, logged: verdict.logged, rate: verdict.rate }
        : refuse(ownRefusal(candidate), verdict.rate);
    }
    case 'refused_unverified':
      return { kind: 'refuse', refusal: ownRefusal(candidate), logged: verdict.logged, rate: null };
    case 'too_many_bad_signatures': {
      // Redis's clock counts the minute, so Redis knows its remaining time.
      const refusal = { ...tooManyBadSignatures(nowMs), retryAfterSeconds: verdict.retryAfterSeconds };
      return { kind: 'refuse', refusal, logged: false, rate: null };
    }
  }
}

function refuse(refusal: Refusal, rate: RateState): Decision {
  return { kind: 'refuse', refusal, logged: true, rate };
}

function ownRefusal({ verified, requestId }: Candidate): Refusal {
  if (verified.outcome === 'refused') return verified.refusal;
  throw new Error(`the admission refused ${requestId}, which asked to be admitted`);
}
