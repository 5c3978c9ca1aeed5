import type { Memberships } from '@sluice/store/memberships';
import type { Sessions } from '@sluice/store/sessions';
import type { TwoFactors } from '@sluice/store/two-factors';
import type { UserTokens } from '@sluice/store/user-tokens';
import type { User, Users } from '@sluice/store/users';

export interface ResetTwoFactorDeps {
  readonly users: Pick<Users, 'findUserByEmail'>;
  readonly memberships: Pick<Memberships, 'listMembershipsOf'>;
  readonly twoFactors: Pick<TwoFactors, 'turnOff'>;
  readonly sessions: Pick<Sessions, 'endSessions'>;
  readonly userTokens: Pick<UserTokens, 'endUserTokens'>;
}

export type TwoFactorReset =
  | { readonly status: 'reset'; readonly user: User; readonly accountIds: readonly string[] }
  | { readonly status: 'user_not_found' }
  /** The user already signs in with the password alone. */
  | { readonly status: 'is_off' };

/**
 * Turns off the second factor of a user who lost it, and ends their sessions: a thief of the device may be signed in
 * there. `accountIds` are the accounts whose audit logs should record this.
 */
export async function resetTwoFactor(deps: ResetTwoFactorDeps, email: string): Promise<TwoFactorReset> {
  const user = await deps.users.findUserByEmail(email.trim().toLowerCase());
  if (user === undefined) return { status: 'user_not_found' };
  if (!(await deps.twoFactors.turnOff(user.user_id))) return { status: 'is_off' };
  await deps.sessions.endSessions({ user_id: user.user_id });
  await deps.userTokens.endUserTokens(user.user_id);
  const joined = await deps.memberships.listMembershipsOf(user.user_id);
  return { status: 'reset', user, accountIds: joined.map(({ account_id }) => account_id) };
}
