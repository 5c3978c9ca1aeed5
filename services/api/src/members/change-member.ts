import type { Role } from '@sluice/contract/roles';
import type { Membership, Memberships } from '@sluice/store/accounts/memberships';
import type { Sessions } from '@sluice/store/users/sessions';
import { refuse } from '../http/result.ts';

export type MemberChanged =
  | { readonly status: 'changed'; readonly before: Membership }
  | { readonly status: 'not_found' }
  /** The member is the only owner. Nothing was changed. */
  | { readonly status: 'last_owner' };

export const LAST_OWNER = refuse(
  'last_owner',
  'An account must have an owner. Make another member an owner first.',
);

/**
 * Checked before anything changes, so that an account with one owner always has one. Otherwise the owner's other
 * requests would fail for a moment, and permanently if this process died in between.
 */
async function isLastOwner(memberships: Memberships, accountId: string, userId: string): Promise<boolean> {
  const found = await memberships.findMembership(accountId, userId);
  return found?.role === 'owner' && (await memberships.countOwners(accountId)) === 1;
}

/**
 * Changes the role first, then counts owners, and restores the role if no owner is left. If two owners demote each
 * other at once, both see it and both are restored. If it counted first, both changes would succeed.
 */
export async function changeRoleOf(
  memberships: Memberships,
  accountId: string,
  userId: string,
  role: Role,
): Promise<MemberChanged> {
  if (role !== 'owner' && (await isLastOwner(memberships, accountId, userId)))
    return { status: 'last_owner' };
  const before = await memberships.setRole(accountId, userId, role);
  if (before === undefined) return { status: 'not_found' };
  if (before.role !== 'owner' || role === 'owner') return { status: 'changed', before };
  if ((await memberships.countOwners(accountId)) > 0) return { status: 'changed', before };
  await memberships.setRole(accountId, userId, 'owner');
  return { status: 'last_owner' };
}

/** Removes a member from the account and ends their sessions in it. */
export async function removeMember(
  { memberships, sessions }: { memberships: Memberships; sessions: Pick<Sessions, 'endSessions'> },
  accountId: string,
  userId: string,
): Promise<MemberChanged> {
  if (await isLastOwner(memberships, accountId, userId)) return { status: 'last_owner' };
  const before = await memberships.removeMembership(accountId, userId);
  if (before === undefined) return { status: 'not_found' };
  if (before.role === 'owner' && (await memberships.countOwners(accountId)) === 0) {
    await memberships.insertMembership(before);
    return { status: 'last_owner' };
  }
  await sessions.endSessions({ user_id: userId, account_id: accountId });
  return { status: 'changed', before };
}
