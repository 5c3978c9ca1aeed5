import { newId } from '@sluice/credentials/ids';
import type { Session, Sessions } from '@sluice/store/sessions';
import type { User, Users } from '@sluice/store/users';
import type { Request, Response } from 'express';
import { SESSION_COOKIE } from '../browser/cookie.ts';
import { type DeviceDeps, rememberDevice } from '../browser/device.ts';
import { hashToken, newToken } from '../browser/token.ts';
import { markKnownCaller } from '../http/known-caller.ts';
import { SESSION_MS } from './authenticate.ts';

const USER_AGENT_LENGTH = 200;

export interface OpenSessionDeps extends DeviceDeps {
  readonly sessions: Pick<Sessions, 'insertSession' | 'findSession' | 'endSession'>;
  readonly users: Pick<Users, 'findUser'>;
  readonly now: () => number;
}

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
  | { readonly status: 'password_changed' };

/**
 * Signs a user in with a new session id, so that a cookie planted beforehand is worthless (session fixation).
 * A password change ends existing sessions. A session opened meanwhile would survive, so this checks once more.
 */
export async function openSession(
  deps: OpenSessionDeps,
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
  if ((await users.findUser(user.user_id))?.password_hash !== user.password_hash) {
    await sessions.endSession(user.user_id, session.session_id);
    return { status: 'password_changed' };
  }
  SESSION_COOKIE.set(request, response, token, SESSION_MS);
  await rememberDevice(deps, request, response, user.user_id);
  markKnownCaller(response);
  return { status: 'opened' };
}

async function endPrevious(sessions: OpenSessionDeps['sessions'], request: Request): Promise<void> {
  const token = SESSION_COOKIE.read(request);
  const previous = token === undefined ? undefined : await sessions.findSession(hashToken(token));
  if (previous !== undefined) await sessions.endSession(previous.user_id, previous.session_id);
}
