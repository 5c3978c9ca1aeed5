import { auditedInEach, knownChange } from '@sluice/accounts/audit/audited';
import { hashLinkToken } from '@sluice/accounts/people/create-link';
import { accountsOf } from '@sluice/accounts/people/password-reset';
import type { ResetPassword } from '@sluice/dashboard-api/recovery';
import type { Mailer } from '@sluice/mail/mailer';
import { passwordChangedMail } from '@sluice/mail/texts';
import type { Sessions } from '@sluice/store/users/sessions';
import type { UserToken, UserTokens } from '@sluice/store/users/user-tokens';
import type { User, Users } from '@sluice/store/users/users';
import type { Request } from 'express';
import type { Audited } from '../audit/record.ts';
import { done, type Result, refuse } from '../http/result.ts';
import { type NewPasswordDeps, newPasswordFault } from './new-password.ts';
import { hashPassword, type PasswordCost } from './password.ts';

export interface SetPasswordDeps extends NewPasswordDeps {
  readonly users: Pick<Users, 'findUser' | 'setPasswordHash'>;
  readonly userTokens: Pick<UserTokens, 'findUserToken' | 'takeUserToken' | 'endUserTokens'>;
  readonly sessions: Pick<Sessions, 'endSessions'>;
  readonly passwordCost: PasswordCost;
  readonly audited: Audited;
  /** undefined: this installation sends no mail. */
  readonly mailer: Mailer | undefined;
  readonly apiUrl: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export const LINK_INVALID = refuse(
  'link_invalid',
  'This link was already used, has expired, or is incomplete. Request a new one on the sign-in page.',
);

/** Finds an unexpired token and the user whose password it resets. */
export async function findReset(
  { userTokens, users, now }: SetPasswordDeps,
  token: string,
): Promise<{ readonly token: UserToken; readonly user: User } | undefined> {
  const found = await userTokens.findUserToken('password_reset', hashLinkToken(token));
  if (found === undefined || found.expires_at <= now()) return undefined;
  const user = await users.findUser(found.user_id);
  return user && { token: found, user };
}

/** Uses a link and sets the password. Ends everything the old one opened: sessions, known browsers, other links. */
export async function setPassword(
  deps: SetPasswordDeps,
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
  { userTokens, users, sessions }: SetPasswordDeps,
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
  { mailer, apiUrl, now }: Pick<SetPasswordDeps, 'mailer' | 'apiUrl' | 'now'>,
  email: string,
  request: Request,
): void {
  mailer?.send(passwordChangedMail(email, { apiUrl, address: request.ip ?? 'unknown', at: now() }));
}
