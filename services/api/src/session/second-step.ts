import { knownChange } from '@sluice/accounts/audit/audited';
import { hashToken } from '@sluice/credentials/token';
import type { Me } from '@sluice/dashboard-api/session';
import type { SecondStep } from '@sluice/dashboard-api/two-factor';
import type { Request, Response } from 'express';
import { done, type Refusal, type Result, refuse } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { checkCode, isRecoveryCodeOf, UNREADABLE_KEY, WRONG_CODE } from '../two-factor/codes.ts';
import { describeMe } from './describe-me.ts';
import { type OpenSessionInput, openSession } from './open-session.ts';

const EXPIRED = refuse('sign_in_failed', 'This sign-in has expired. Enter your password again.');

/** Completes a sign-in with a code, after a correct password. */
export async function takeSecondStep(
  deps: RouteDeps,
  { token, code }: SecondStep,
  request: Request,
  response: Response,
): Promise<Result<Me>> {
  const found = await deps.userTokens.findUserToken('second_factor', hashToken(token));
  const user = found === undefined ? undefined : await deps.users.findUser(found.user_id);
  if (found?.account_id === undefined || user === undefined || found.expires_at <= deps.now())
    return (await deps.throttle.link(request)) ?? EXPIRED;
  const { user_id, email } = user;
  const throttled = await deps.throttle.secondStep(request, found.token_hash, user);
  if (throttled !== undefined) return throttled;
  const accountId = found.account_id;
  const enter = () => useCode(deps, { request, response, user, accountId }, found.token_hash, code);
  const deed = { action: 'member.recovery_code_used', target: { id: user_id, name: email } } as const;
  const isEntered = (refused: Refusal | undefined) => refused === undefined;
  const refused = isRecoveryCodeOf(user, code)
    ? await deps.audited({ user, accountId }, request, knownChange(deed, enter, isEntered))
    : await enter();
  return refused ?? done(await describeMe(deps, user, accountId));
}

/** Uses up a code and opens a session. Resolves with why it could not. */
async function useCode(
  deps: RouteDeps,
  input: OpenSessionInput,
  tokenHash: string,
  code: string,
): Promise<Refusal | undefined> {
  const { status } = await checkCode(deps, input.user, code);
  if (status === 'unreadable') return UNREADABLE_KEY;
  if (status === 'wrong') return WRONG_CODE;
  // If several requests send a correct code at once, only one continues.
  if ((await deps.userTokens.takeUserToken('second_factor', tokenHash)) === undefined) return EXPIRED;
  const opened = await openSession(deps, input);
  return opened.status === 'opened' ? undefined : EXPIRED;
}
