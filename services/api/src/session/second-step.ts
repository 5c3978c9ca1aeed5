import type { Me } from '@sluice/dashboard-api/session';
import type { SecondStep } from '@sluice/dashboard-api/two-factor';
import type { User } from '@sluice/store/users';
import type { Request, Response } from 'express';
import type { Audit } from '../audit/record.ts';
import { hashToken } from '../browser/token.ts';
import { done, type Result, refuse } from '../http/result.ts';
import type { Throttle } from '../throttle/throttle.ts';
import { type CheckCodeDeps, checkCode, UNREADABLE_KEY, WRONG_CODE } from '../two-factor/check-code.ts';
import { describeMe } from './describe-me.ts';
import type { FinishSignInDeps } from './finish-sign-in.ts';
import { openSession } from './open-session.ts';

export interface SecondStepDeps extends FinishSignInDeps, CheckCodeDeps {
  readonly throttle: Throttle;
  readonly audit: Audit;
}

const EXPIRED = refuse('sign_in_failed', 'This sign-in has expired. Enter your password again.');

/** Completes a sign-in with a code, after a correct password. */
export async function takeSecondStep(
  deps: SecondStepDeps,
  { token, code }: SecondStep,
  request: Request,
  response: Response,
): Promise<Result<Me>> {
  const found = await deps.userTokens.findUserToken('second_factor', hashToken(token));
  const user = found === undefined ? undefined : await deps.users.findUser(found.user_id);
  if (found?.account_id === undefined || user === undefined || found.expires_at <= deps.now())
    return (await deps.throttle.link(request)) ?? EXPIRED;
  const throttled = await deps.throttle.secondStep(request, found.token_hash, user);
  if (throttled !== undefined) return throttled;
  const checked = await checkCode(deps, user, code);
  if (checked.status === 'unreadable') return UNREADABLE_KEY;
  if (checked.status === 'wrong') return WRONG_CODE;
  // If several requests send a correct code at once, only one continues.
  if ((await deps.userTokens.takeUserToken('second_factor', found.token_hash)) === undefined) return EXPIRED;
  const opened = await openSession(deps, { request, response, user, accountId: found.account_id });
  if (opened.status !== 'opened') return EXPIRED;
  if (checked.by === 'recovery_code') await noteRecoveryCode(deps, user, found.account_id, request);
  return done(await describeMe(deps, user, found.account_id));
}

function noteRecoveryCode(
  { audit }: SecondStepDeps,
  user: User,
  accountId: string,
  request: Request,
): Promise<void> {
  const target = { id: user.user_id, name: user.email };
  return audit({ user, accountId }, request, { action: 'member.recovery_code_used', target });
}
