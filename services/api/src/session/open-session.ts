import { newId } from '@sluice/credentials/ids';
import { hashToken, newToken } from '@sluice/credentials/token';
import type { Session } from '@sluice/store/users/sessions';
import type { User } from '@sluice/store/users/users';
import type { Request, Response } from 'express';
import { rememberDevice, SESSION_COOKIE } from '../browser/cookie.ts';
import { markKnownCaller } from '../http/signed-in.ts';
import { SESSION_MS } from '../parts/authenticate.ts';
import type { RouteDeps } from '../parts.ts';

const USER_AGENT_LENGTH = 200;

export interface OpenSessionInput {
  readonly request: Request;
  readonly response: Response;
  /** The user as read when the password was checked. */
  readonly user: User;
  readonly accountId: string;
}

export type SessionOpened =
  | { readonly status: 'opened' }
  /** The password was changed after it was checked. */
  | { readonly status: 'password_changed' }
  /** Two-factor sign-in was turned on after the user was read, so the password alone is not enough. */
  | { readonly status: 'two_factor_on' };

/**
 * Signs a user in with a new session id, so that a cookie planted beforehand is worthless (session fixation).
 * A password change and a new second factor end existing sessions. A session opened meanwhile would survive, so this checks once
 * more.
 */
export async function openSession(
  deps: RouteDeps,
  { request, response, user, accountId }: OpenSessionInput,
): Promise<SessionOpened> {
  const { sessions, users, now } = deps;
  await endPrevious(sessions, request);
  const { token, hash } = newToken();
  const at = now();
  const session: Session = {
    token_hash: hash,
    session_id: newId('ses'),
    user_id: user.user_id,
    account_id: accountId,
    created_at: at,
    last_seen_at: at,
    expires_at: at + SESSION_MS,
    address: request.ip ?? 'unknown',
    user_agent: (request.get('user-agent') ?? '').slice(0, USER_AGENT_LENGTH).toWellFormed(),
  };
  await sessions.insertSession(session);
  const changed = changeSince(user, await users.findUser(user.user_id));
  if (changed !== undefined) {
    await sessions.endSession(user.user_id, session.session_id);
    return changed;
  }
  SESSION_COOKIE.set(request, response, token, SESSION_MS);
  await rememberDevice(deps, request, response, user.user_id);
  markKnownCaller(response, accountId);
  return { status: 'opened' };
}

/** The change that makes a session void which was opened for the user as read before. Undefined: there is none. */
function changeSince(
  before: User,
  stored: User | undefined,
): Exclude<SessionOpened, { status: 'opened' }> | undefined {
  if (stored?.password_hash !== before.password_hash) return { status: 'password_changed' };
  if (stored.two_factor !== undefined && before.two_factor === undefined) return { status: 'two_factor_on' };
  return undefined;
}

async function endPrevious(sessions: RouteDeps['sessions'], request: Request): Promise<void> {
  const token = SESSION_COOKIE.read(request);
  const previous = token === undefined ? undefined : await sessions.findSession(hashToken(token));
  if (previous !== undefined) await sessions.endSession(previous.user_id, previous.session_id);
}
