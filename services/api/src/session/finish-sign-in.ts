import { MINUTE_MS } from '@sluice/contract/durations';
import { formatInstant } from '@sluice/contract/instant';
import type { SignedIn } from '@sluice/dashboard-api/session';
import type { UserTokens } from '@sluice/store/users/user-tokens';
import { newToken } from '../browser/token.ts';
import { type DescribeMeDeps, describeMe } from './describe-me.ts';
import { type OpenSessionDeps, type OpenSessionInput, openSession } from './open-session.ts';

export interface FinishSignInDeps extends DescribeMeDeps, OpenSessionDeps {
  readonly userTokens: OpenSessionDeps['userTokens'] & Pick<UserTokens, 'endUserTokens'>;
}

export type SignInFinished =
  | { readonly status: 'finished'; readonly body: SignedIn }
  /** The password was changed after it was checked. */
  | { readonly status: 'password_changed' };

/** How long a correct password waits for its code. */
const SECOND_STEP_MS = 10 * MINUTE_MS;

/** Continues after a correct password: opens a session, or asks for a code if the user has a second factor. */
export async function finishSignIn(deps: FinishSignInDeps, input: OpenSessionInput): Promise<SignInFinished> {
  const { user, accountId } = input;
  if (user.two_factor !== undefined) return askForCode(deps, input);
  const opened = await openSession(deps, input);
  switch (opened.status) {
    case 'password_changed':
      return opened;
    case 'two_factor_on':
      return askForCode(deps, input);
    case 'opened':
      return { status: 'finished', body: await describeMe(deps, user, accountId) };
  }
}

/** A password change ends the user's tokens. A token created meanwhile would survive, so this checks once more. */
async function askForCode(
  { userTokens, users, now }: FinishSignInDeps,
  { user, accountId }: OpenSessionInput,
): Promise<SignInFinished> {
  const { token, hash } = newToken();
  const at = now();
  const expires_at = at + SECOND_STEP_MS;
  await userTokens.insertUserToken({
    token_hash: hash,
    kind: 'second_factor',
    user_id: user.user_id,
    account_id: accountId,
    created_at: at,
    expires_at,
  });
  if ((await users.findUser(user.user_id))?.password_hash !== user.password_hash) {
    await userTokens.takeUserToken('second_factor', hash);
    return { status: 'password_changed' };
  }
  return {
    status: 'finished',
    body: { second_factor: { token, expires_at: formatInstant(expires_at) } },
  };
}
