import type { Deed } from '@sluice/accounts/audit/audited';
import { accountsOf } from '@sluice/accounts/people/password-reset';
import type { Store } from '@sluice/store/connect';
import type { User } from '@sluice/store/users/users';
import { failed } from './exit-codes.ts';

/** A user, and the accounts whose audit logs record a change of how the user signs in. */
export interface Member {
  readonly user: User;
  readonly accountIds: readonly string[];
  /** The user as shown in the audit log. */
  readonly target: Deed['target'];
}

/** Finds the user with an email address. Throws a failure if there is none. */
export async function findMember(
  { users, memberships }: Pick<Store, 'users' | 'memberships'>,
  email: string,
): Promise<Member> {
  const user = await users.findUserByEmail(email.trim().toLowerCase());
  if (user === undefined) throw failed(`There is no user with the email address ${email}.`);
  const accountIds = await accountsOf({ memberships }, user.user_id);
  return { user, accountIds, target: { id: user.user_id, name: user.email } };
}
