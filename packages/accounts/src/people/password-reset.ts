import { MINUTE_MS } from '@sluice/contract/time/durations';
import { newToken } from '@sluice/credentials/token';
import type { Memberships } from '@sluice/store/accounts/memberships';
import type { UserTokens } from '@sluice/store/users/user-tokens';
import type { User, Users } from '@sluice/store/users/users';

export interface PasswordResetDeps {
  readonly users: Pick<Users, 'findUserByEmail'>;
  readonly userTokens: Pick<UserTokens, 'insertUserToken'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** How long a link can be used, in minutes. */
export const PASSWORD_RESET_MINUTES = 30;

export type PasswordResetCreated =
  | {
      readonly status: 'created';
      readonly user: User;
      /** Goes into the fragment of `/reset-password#token=…`. Shown once, stored nowhere. */
      readonly token: string;
      /** Milliseconds since the Unix epoch. */
      readonly expiresAt: number;
    }
  | { readonly status: 'user_not_found' };

/**
 * Creates the one-time link that sets a new password. Earlier links stay valid until one of them is used: a stranger
 * who requests another link must not void the one in the mailbox.
 */
export async function createPasswordReset(
  { users, userTokens, now }: PasswordResetDeps,
  email: string,
): Promise<PasswordResetCreated> {
  const user = await users.findUserByEmail(email.trim().toLowerCase());
  if (user === undefined) return { status: 'user_not_found' };
  const { token, hash } = newToken();
  const created_at = now();
  const expires_at = created_at + PASSWORD_RESET_MINUTES * MINUTE_MS;
  await userTokens.insertUserToken({
    token_hash: hash,
    kind: 'password_reset',
    user_id: user.user_id,
    created_at,
    expires_at,
  });
  return { status: 'created', user, token, expiresAt: expires_at };
}

/** The page that uses the link. The token is in the fragment, which browsers never send to a server. */
export function resetUrl(apiUrl: string, token: string): string {
  return `${apiUrl.replace(/\/+$/, '')}/reset-password#token=${token}`;
}

/** The ids of all accounts of a user. Each account's audit log records changes of a member's password. */
export async function accountsOf(
  { memberships }: { readonly memberships: Pick<Memberships, 'listMembershipsOf'> },
  userId: string,
): Promise<readonly string[]> {
  return (await memberships.listMembershipsOf(userId)).map(({ account_id }) => account_id);
}
