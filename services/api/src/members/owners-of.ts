import type { Accounts } from '@sluice/store/accounts/accounts';
import type { Memberships } from '@sluice/store/accounts/memberships';
import type { Users } from '@sluice/store/users/users';

export interface OwnersOfDeps {
  readonly accounts: Pick<Accounts, 'findAccount'>;
  readonly memberships: Pick<Memberships, 'listMembers'>;
  readonly users: Pick<Users, 'findUsers'>;
}

/** The name of an account, and the e-mail addresses of its owners. */
export async function ownersOf(
  { accounts, memberships, users }: OwnersOfDeps,
  accountId: string,
): Promise<{ readonly account: string; readonly emails: readonly string[] }> {
  const [account, members] = await Promise.all([
    accounts.findAccount(accountId),
    memberships.listMembers(accountId),
  ]);
  const ownerIds = members.filter(({ role }) => role === 'owner').map(({ user_id }) => user_id);
  const owners = await users.findUsers(ownerIds);
  return { account: account?.name ?? accountId, emails: owners.map(({ email }) => email) };
}
