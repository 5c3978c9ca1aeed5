import type { SignedIn, SignIn } from '@sluice/dashboard-api/session';
import type { Memberships } from '@sluice/store/memberships';
import type { Users } from '@sluice/store/users';
import type { Request, Response } from 'express';
import { done, type Result, refuse } from '../http/result.ts';
import { type FinishSignInDeps, finishSignIn } from './finish-sign-in.ts';
import { checkPassword, hashPassword, type PasswordCost } from './password.ts';
import type { Throttle } from './throttle.ts';

export interface SignInDeps extends FinishSignInDeps {
  readonly users: Pick<Users, 'findUser' | 'findUserByEmail'>;
  readonly memberships: FinishSignInDeps['memberships'] & Pick<Memberships, 'listMembershipsOf'>;
  readonly throttle: Throttle;
  readonly passwordCost: PasswordCost;
}

/** Says the same whichever of the two is wrong, after the same time. */
const FAILED = refuse('sign_in_failed', 'Email or password is wrong. Check both and try again.');

/** Signs somebody in by email and password. */
export function createSignIn(deps: SignInDeps) {
  // What is compared with where there is no such user, so that its absence does not show in the time taken.
  const nobody = hashPassword('', deps.passwordCost);

  return async (
    { email, password }: SignIn,
    request: Request,
    response: Response,
  ): Promise<Result<SignedIn>> => {
    const throttled = await deps.throttle.signIn(request, email);
    if (throttled !== undefined) return throttled;
    const user = await deps.users.findUserByEmail(email);
    const right = await checkPassword(password, user?.password_hash ?? (await nobody));
    if (!right || user === undefined) return FAILED;
    const [first] = await deps.memberships.listMembershipsOf(user.user_id);
    if (first === undefined)
      return refuse('forbidden', 'You are no member of any account. Ask for an invitation.');
    const finished = await finishSignIn(deps, { request, response, user, accountId: first.account_id });
    return finished.status === 'answered' ? done(finished.body) : FAILED;
  };
}
