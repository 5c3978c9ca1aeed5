import type { Me, Membership as MembershipItem } from '@sluice/dashboard-api/session';
import type { User } from '@sluice/store/users/users';
import { mustSetUpTwoFactor } from '../parts/must-set-up.ts';
import type { RouteDeps } from '../parts.ts';

/** Describes a user and their accounts. */
export async function describeMe(deps: RouteDeps, user: User, accountId: string): Promise<Me> {
  const [account, memberships] = await Promise.all([
    deps.accounts.findAccount(accountId),
    deps.memberships.listMembershipsOf(user.user_id),
  ]);
  const current = memberships.find(({ account_id }) => account_id === accountId);
  if (account === undefined || current === undefined)
    throw new Error(`${user.user_id} is not a member of ${accountId}, or the account does not exist`);
  const accounts = memberships.map(async ({ account_id, role }): Promise<MembershipItem> => {
    const one = account_id === accountId ? account : await deps.accounts.findAccount(account_id);
    return { account_id, name: one?.name ?? account_id, role };
  });
  return {
    user: {
      user_id: user.user_id,
      email: user.email,
      name: user.name,
      two_factor: user.two_factor !== undefined,
    },
    operator: user.operator,
    account: {
      account_id: accountId,
      name: account.name,
      plan: account.plan,
      two_factor_required: account.require_two_factor === true,
    },
    role: current.role,
    must_set_up_two_factor: mustSetUpTwoFactor(user, current.role, account),
    accounts: await Promise.all(accounts),
    installation: {
      events_url: deps.eventsUrl,
      delivery_retention_days: deps.retentionDays,
      environment: deps.environmentName ?? null,
    },
  };
}
