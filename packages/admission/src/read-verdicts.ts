import { VERDICT } from './checks/verdict-codes.ts';
import type { RateState, Verdict } from './verdict.ts';

const SECOND_US = 1_000_000;

/** Reads the script's reply: four numbers for each ticket. Throws for a verdict that this version does not know. */
export function readVerdicts(reply: readonly number[]): Verdict[] {
  const verdicts: Verdict[] = [];
  for (let i = 0; i < reply.length; i += 4) {
    const [code, value] = [reply[i] as number, reply[i + 1] as number];
    const [remaining, resetUs] = [reply[i + 2] as number, reply[i + 3] as number];
    verdicts.push(readVerdict(code, value, { remaining, resetSeconds: Math.ceil(resetUs / SECOND_US) }));
  }
  return verdicts;
}

function readVerdict(code: number, value: number, rate: RateState): Verdict {
  switch (code) {
    case VERDICT.admitted:
      return { outcome: 'admitted', sequence: value, rate };
    case VERDICT.duplicate:
      return { outcome: 'duplicate', sequence: value, rate };
    case VERDICT.passed_duplicate:
      return { outcome: 'duplicate', sequence: value, rate, passed: 'before' };
    case VERDICT.just_passed_duplicate:
      return { outcome: 'duplicate', sequence: value, rate, passed: 'just_now' };
    case VERDICT.stale:
      return { outcome: 'stale' };
    case VERDICT.changing:
      return { outcome: 'changing' };
    case VERDICT.inactive:
      return { outcome: 'inactive', rate };
    case VERDICT.rate_limited:
      return { outcome: 'rate_limited', retryAfterSeconds: Math.ceil(value / SECOND_US), rate };
    case VERDICT.plan_limit:
      return { outcome: 'plan_limit', rate };
    case VERDICT.backlog_full:
      return { outcome: 'backlog_full', rate };
    case VERDICT.refused:
      return { outcome: 'refused', rate };
    case VERDICT.unverified:
      return { outcome: 'refused_unverified', logged: true };
    case VERDICT.unverified_folded:
      return { outcome: 'refused_unverified', logged: false };
    case VERDICT.blocked:
      return { outcome: 'too_many_bad_signatures', retryAfterSeconds: Math.ceil(value / SECOND_US) };
    default:
      throw new Error(`the admission script returned the unknown verdict ${code}`);
  }
}
