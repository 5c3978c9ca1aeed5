/** The verdicts of the admission script, as it returns them (admit.lua.ts). */
export const VERDICT = {
  admitted: 0,
  duplicate: 1,
  stale: 2,
  changing: 3,
  inactive: 4,
  rate_limited: 5,
  plan_limit: 6,
  backlog_full: 7,
  refused: 8,
  unverified: 9,
  unverified_folded: 10,
  blocked: 11,
  refused_folded: 12,
} as const;
