import { mayActAs } from '@sluice/contract/roles';
import type { Accounts } from '@sluice/store/accounts/accounts';
import type { Memberships } from '@sluice/store/accounts/memberships';

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
