import { formatInstant } from '@sluice/contract/instant';
import type { Account } from '@sluice/store/accounts/accounts';
import { type CommandFailure, wrongUsage } from './exit-codes.ts';
import type { Row } from './output.ts';

/** The output row of an account. */
export function accountRow({ account_id, name, plan, created_at }: Account): Row {
  return { account_id, name, plan, created_at: formatInstant(created_at) };
}

/** The error for a plan that PLANS doesn't contain. */
export function unknownPlan(plan: string | undefined, known: readonly string[]): CommandFailure {
  return wrongUsage(`Unknown plan ${plan}. PLANS has: ${known.join(', ')}`);
}
