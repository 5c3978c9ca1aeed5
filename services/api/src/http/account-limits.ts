import { type Refusal, refuse } from './result.ts';

/**
 * An account may have this many. Admins make these, and each costs every list of them. The command line has no limit, because
 * operators use it. Requests that arrive together may pass the limit by their number.
 */
const ACCOUNT_LIMITS = {
  'API keys, counting those revoked in the last 30 days,': 200,
  // A rotation replaces a key that others may know, so it must be possible for an account that has all of its keys.
  'API keys, counting rotated ones of the last 30 days,': 400,
  sources: 200,
  channels: 200,
  'open invitations': 100,
} as const;

/** Rejects one more of something that the account has as many of as it may. */
export function refuseOneMore(what: keyof typeof ACCOUNT_LIMITS, count: number): Refusal | undefined {
  const limit = ACCOUNT_LIMITS[what];
  if (count < limit) return undefined;
  return refuse(
    'conflict',
    `The account has ${count} ${what} and may have ${limit}. Remove one that is not used, or ask the operator for more.`,
  );
}
