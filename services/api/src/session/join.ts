import type { Deed } from '@sluice/accounts/audit/audit-entry';
import type { Link } from '@sluice/store/accounts/links';
import type { Memberships } from '@sluice/store/accounts/memberships';
import type { User, Users } from '@sluice/store/users/users';

export interface JoinDeps {
  readonly memberships: Pick<Memberships, 'insertMembership' | 'findMembership' | 'setRole'>;
  readonly users: Pick<Users, 'setOperator'>;
  readonly now: () => number;
}

/** Grants a user what a link offers. */
export async function join(deps: JoinDeps, { user_id, operator }: User, link: Link): Promise<void> {
  const { memberships, users, now } = deps;
  const { account_id, role } = link;
  const { status } = await memberships.insertMembership({ account_id, user_id, role, created_at: now() });
  // A member of an account without owners: only this link can make them an owner.
  if (status === 'exists' && isFirst(link)) await memberships.setRole(account_id, user_id, role);
  if (makesOperator(link) && !operator) await users.setOperator(user_id, true);
}

/** The audited change. */
export function joinedDeed({ user_id, email }: User, { role }: Link): Deed {
  return { action: 'member.joined', target: { id: user_id, name: email }, detail: role };
}

export async function isMember(
  { memberships }: JoinDeps,
  { user_id }: User,
  { account_id }: Link,
): Promise<boolean> {
  return (await memberships.findMembership(account_id, user_id)) !== undefined;
}

export const isFirst = (link: Link) => link.kind === 'first_owner';
export const makesOperator = (link: Link) => isFirst(link) && link.operator === true;
