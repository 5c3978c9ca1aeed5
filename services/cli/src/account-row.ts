import { formatInstant } from '@sluice/contract/instant';
import type { Account } from '@sluice/store/accounts';
import { type CommandFailure, wrongUsage } from './exit-codes.ts';
import type { Row } from './output.ts';

/** An account as every command prints it. */
export function accountRow({ account_id, name, plan, created_at }: Account): Row {
  return { account_id, name, plan, created_at: formatInstant(created_at) };
}

/** What commands say of a plan that the configuration does not have. */
export function unknownPlan(plan: string | undefined, known: readonly string[]): CommandFailure {
  return wrongUsage(`There is no plan ${plan}. PLANS names: ${known.join(', ')}`);
}
