import type { SignedIn, SignIn } from '@sluice/dashboard-api/session';
import type { Memberships } from '@sluice/store/accounts/memberships';
import type { Users } from '@sluice/store/users/users';
import type { Request, Response } from 'express';
import { done, type Result, refuse } from '../http/result.ts';
import { checkPassword, hashPassword, type PasswordCost } from '../password/password.ts';
import type { Throttle } from '../throttle/throttle.ts';
import { type FinishSignInDeps, finishSignIn } from './finish-sign-in.ts';

export interface SignInDeps extends FinishSignInDeps {
  readonly users: Pick<Users, 'findUser' | 'findUserByEmail'>;
  readonly memberships: FinishSignInDeps['memberships'] & Pick<Memberships, 'listMembershipsOf'>;
  readonly throttle: Throttle;
  readonly passwordCost: PasswordCost;
}

/** The same response whether email or password is wrong, after the same time. */
const FAILED = refuse('sign_in_failed', 'Email or password is wrong. Check both and try again.');

/** Signs a user in with email and password. */
export function createSignIn(deps: SignInDeps) {
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
