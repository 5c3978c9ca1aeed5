import { auditedInEach, knownChange } from '@sluice/accounts/audit/audited';
import { accountsOf } from '@sluice/accounts/people/password-reset';
import { hashToken } from '@sluice/credentials/token';
import type { ResetPassword } from '@sluice/dashboard-api/recovery';
import { passwordChangedMail } from '@sluice/mail/texts';
import type { UserToken } from '@sluice/store/users/user-tokens';
import type { User } from '@sluice/store/users/users';
import type { Request } from 'express';
import { done, type Result, refuse } from '../http/result.ts';
import { hashPassword } from '../parts/password.ts';
import type { RouteDeps } from '../parts.ts';
import { newPasswordFault } from './new-password.ts';

export const LINK_INVALID = refuse(
  'link_invalid',
  'This link was already used, has expired, or is incomplete. Request a new one on the sign-in page.',
);

/** Finds an unexpired token and the user whose password it resets. */
export async function findReset(
  { userTokens, users, now }: RouteDeps,
  token: string,
): Promise<{ readonly token: UserToken; readonly user: User } | undefined> {
  const found = await userTokens.findUserToken('password_reset', hashToken(token));
  if (found === undefined || found.expires_at <= now()) return undefined;
  const user = await users.findUser(found.user_id);
  return user && { token: found, user };
}

/** Uses a link and sets the password. Ends everything the old one opened: sessions, known browsers, other links. */
export async function setPassword(
  deps: RouteDeps,
  { token, password }: ResetPassword,
  request: Request,
): Promise<Result<null>> {
  const found = await findReset(deps, token);
  if (found === undefined) return LINK_INVALID;
  const { user_id, email } = found.user;
  const fault = await newPasswordFault(deps, found.user, password, '/password');
  if (fault !== undefined) return fault;
  const hash = await hashPassword(password, deps.passwordCost);
  const deed = { action: 'member.password_reset', target: { id: user_id, name: email } } as const;
  const isSet = await auditedInEach(
    await accountsOf(deps, user_id),
    (accountId, work) => {
      const change = knownChange(deed, work, (isMade) => isMade);
      return deps.audited({ user: found.user, accountId }, request, change);
    },
    () => useLink(deps, found.token, hash),
  );
  if (!isSet) return LINK_INVALID;
  mailPasswordChanged(deps, email, request);
  return done(null);
}

/** Resolves with whether the link was unused. If several requests use it at once, only one sets the password. */
async function useLink(
  { userTokens, users, sessions }: RouteDeps,
  { token_hash, user_id }: UserToken,
  hash: string,
): Promise<boolean> {
  if ((await userTokens.takeUserToken('password_reset', token_hash)) === undefined) return false;
  await users.setPasswordHash(user_id, hash);
  await sessions.endSessions({ user_id });
  await userTokens.endUserTokens(user_id);
  return true;
}

/** Sends the notice of a changed password if the installation sends mail. */
export function mailPasswordChanged(
  { mailer, apiUrl, now }: Pick<RouteDeps, 'mailer' | 'apiUrl' | 'now'>,
  email: string,
  request: Request,
): void {
  mailer?.send(passwordChangedMail(email, { apiUrl, address: request.ip ?? 'unknown', at: now() }));
}
