import { MINUTE_MS } from '@sluice/contract/time/durations';
import { formatInstant } from '@sluice/contract/time/instant';
import { newToken } from '@sluice/credentials/token';
import type { SignedIn, SignIn } from '@sluice/dashboard-api/session';
import type { Request, Response } from 'express';
import { done, type Result, refuse } from '../http/result.ts';
import { checkPassword, hashPassword } from '../parts/password.ts';
import type { RouteDeps } from '../parts.ts';
import { describeMe } from './describe-me.ts';
import { type OpenSessionInput, openSession } from './open-session.ts';

/** The same response whether email or password is wrong, after the same time. */
const FAILED = refuse('sign_in_failed', 'Email or password is wrong. Check both and try again.');

/** Signs a user in with email and password. */
export function createSignIn(deps: RouteDeps) {
  // Compared with if the user does not exist, so that timing does not reveal it.
  const nobody = hashPassword('', deps.passwordCost);

  return async (
    { email, password }: SignIn,
    request: Request,
    response: Response,
  ): Promise<Result<SignedIn>> => {
    const attempt = await deps.throttle.signIn(request, email);
    if (attempt.outcome === 'refused') return attempt;
    const user = await deps.users.findUserByEmail(email);
    const stored = user?.password_hash ?? (await nobody);
    const right = await checkPassword(password, stored, attempt.asker);
    if (!right || user === undefined) return FAILED;
    const [first] = await deps.memberships.listMembershipsOf(user.user_id);
    if (first === undefined)
      return refuse('forbidden', 'You are not a member of any account. Ask for an invitation.');
    const finished = await finishSignIn(deps, { request, response, user, accountId: first.account_id });
    return finished.status === 'finished' ? done(finished.body) : FAILED;
  };
}

type SignInFinished =
  | { readonly status: 'finished'; readonly body: SignedIn }
  /** The password was changed after it was checked. */
  | { readonly status: 'password_changed' };

/** How long a correct password waits for its code. */
const SECOND_STEP_MS = 10 * MINUTE_MS;

/** Continues after a correct password: opens a session, or asks for a code if the user has a second factor. */
export async function finishSignIn(deps: RouteDeps, input: OpenSessionInput): Promise<SignInFinished> {
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
  { userTokens, users, now }: RouteDeps,
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
