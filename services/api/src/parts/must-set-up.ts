import { mayActAs, type Role } from '@sluice/contract/account/roles';
import type { Account, Accounts } from '@sluice/store/accounts/accounts';
import type { Memberships } from '@sluice/store/accounts/memberships';
import type { User } from '@sluice/store/users/users';
import { refuse } from '../http/result.ts';

/** Whether an account requires two-factor sign-in for this role and the user has none. */
export function mustSetUpTwoFactor(
  user: Pick<User, 'two_factor'>,
  role: Role,
  account: Pick<Account, 'require_two_factor'> | undefined,
): boolean {
  return account?.require_two_factor === true && mayActAs(role, 'admin') && user.two_factor === undefined;
}

export const TWO_FACTOR_REQUIRED = refuse(
  'two_factor_required',
  'This account requires two-factor sign-in for owners and admins. Open the dashboard and set it up first.',
);

export interface RequiredAnywhereDeps {
  readonly accounts: Pick<Accounts, 'findAccount'>;
  readonly memberships: Pick<Memberships, 'listMembershipsOf'>;
}

/** Whether any of the user's accounts requires two-factor sign-in for their role. */
export async function requiredAnywhere(
  { accounts, memberships }: RequiredAnywhereDeps,
  userId: string,
): Promise<boolean> {
  const joined = await memberships.listMembershipsOf(userId);
  const admins = joined.filter(({ role }) => mayActAs(role, 'admin'));
  const found = await Promise.all(admins.map(({ account_id }) => accounts.findAccount(account_id)));
  return found.some((account) => account?.require_two_factor === true);
}
