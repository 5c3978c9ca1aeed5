import { newId } from '@sluice/credentials/ids';
import type { Session, Sessions } from '@sluice/store/sessions';
import type { Request, Response } from 'express';
import { SESSION_MS } from './authenticate.ts';
import { readSessionCookie, setSessionCookie } from './cookie.ts';
import { hashToken, newToken } from './token.ts';

const USER_AGENT_LENGTH = 200;

export interface OpenSessionDeps {
  readonly sessions: Pick<Sessions, 'insertSession' | 'findSession' | 'endSession'>;
  readonly now: () => number;
}

export interface OpenSessionInput {
  readonly request: Request;
  readonly response: Response;
  readonly userId: string;
  readonly accountId: string;
}

/** Signs somebody in, with a new id whatever the browser had: a cookie planted before is worth nothing (fixation). */
export async function openSession(
  { sessions, now }: OpenSessionDeps,
  { request, response, userId, accountId }: OpenSessionInput,
): Promise<Session> {
  await endPrevious(sessions, request);
  const { token, hash } = newToken();
  const at = now();
  const session: Session = {
    token_hash: hash,
    session_id: newId('ses'),
    user_id: userId,
    account_id: accountId,
    created_at: at,
    last_seen_at: at,
    expires_at: at + SESSION_MS,
    address: request.ip ?? 'unknown',
    user_agent: (request.get('user-agent') ?? '').slice(0, USER_AGENT_LENGTH).toWellFormed(),
  };
  await sessions.insertSession(session);
  setSessionCookie(request, response, token, SESSION_MS);
  return session;
}

async function endPrevious(sessions: OpenSessionDeps['sessions'], request: Request): Promise<void> {
  const token = readSessionCookie(request);
  const previous = token === undefined ? undefined : await sessions.findSession(hashToken(token));
  if (previous !== undefined) await sessions.endSession(previous.user_id, previous.session_id);
}
