import type { Sessions } from '@sluice/store/users/sessions';
import type { TwoFactors } from '@sluice/store/users/two-factors';
import type { UserTokens } from '@sluice/store/users/user-tokens';

export interface ResetTwoFactorDeps {
  readonly twoFactors: Pick<TwoFactors, 'turnOff'>;
  readonly sessions: Pick<Sessions, 'endSessions'>;
  readonly userTokens: Pick<UserTokens, 'endUserTokens'>;
}

/**
 * Turns off the second factor of a user who lost it, and ends their sessions: a thief of the device may be signed in
 * there. False: it is off already.
 */
export async function resetTwoFactor(
  { twoFactors, sessions, userTokens }: ResetTwoFactorDeps,
  userId: string,
): Promise<boolean> {
  if (!(await twoFactors.turnOff(userId))) return false;
  await sessions.endSessions({ user_id: userId });
  await userTokens.endUserTokens(userId);
  return true;
}
