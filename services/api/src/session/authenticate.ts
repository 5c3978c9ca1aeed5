import { mayActAs } from '@sluice/contract/roles';
import type { Accounts } from '@sluice/store/accounts';
import type { Memberships } from '@sluice/store/memberships';
import type { Sessions } from '@sluice/store/sessions';
import type { Users } from '@sluice/store/users';
import type { Request, Response } from 'express';
import { type Refusal, refuse } from '../http/result.ts';
import type { Authenticate, SignedIn } from '../http/signed-in.ts';
import { mustSetUpTwoFactor, TWO_FACTOR_REQUIRED } from '../two-factor/must-set-up.ts';
import { SESSION_COOKIE } from './cookie.ts';
import { hashToken } from './token.ts';

export interface AuthenticateDeps {
  readonly sessions: Pick<Sessions, 'findSession' | 'touchSession'>;
  readonly users: Pick<Users, 'findUser'>;
  readonly memberships: Pick<Memberships, 'findMembership'>;
  readonly accounts: Pick<Accounts, 'findAccount'>;
  readonly now: () => number;
}

const MINUTE_MS = 60_000;

/** A session ends when it was not used for so long. */
export const SESSION_MS = 14 * 24 * 60 * MINUTE_MS;

/** Noted no more often than this: reading a page must not write with every request. */
const TOUCH_MS = MINUTE_MS;

/**
 * Reads the session from the store with every request, and role and membership with it: what an owner takes away is
 * gone with the next request on every replica. Three lookups by `_id` cost less than a cache that has to be right.
 */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const { sessions, users, memberships, now } = deps;
  return async (request, response, { beforeSetUp = false } = {}) => {
    const token = SESSION_COOKIE.read(request);
    if (token === undefined) return refuse('signed_out', 'Sign in to go on.');
    const hash = hashToken(token);
    const session = await sessions.findSession(hash);
    const at = now();
    if (session === undefined || session.expires_at <= at) return ended(request, response);
    const [user, membership] = await Promise.all([
      users.findUser(session.user_id),
      memberships.findMembership(session.account_id, session.user_id),
    ]);
    if (user === undefined || membership === undefined) return ended(request, response);
    if (at - session.last_seen_at >= TOUCH_MS) {
      await sessions.touchSession(hash, { last_seen_at: at, expires_at: at + SESSION_MS });
      if (!response.headersSent) SESSION_COOKIE.set(request, response, token, SESSION_MS);
    }
    const who = { user, session, accountId: session.account_id, role: membership.role };
    if (!beforeSetUp && (await lacksSecondFactor(deps, who))) return TWO_FACTOR_REQUIRED;
    return who;
  };
}

/** The account is looked up only for those whom it may require it of: it is one more lookup with each request. */
async function lacksSecondFactor({ accounts }: AuthenticateDeps, who: SignedIn): Promise<boolean> {
  const { user, role, accountId } = who;
  if (user.two_factor !== undefined || !mayActAs(role, 'admin')) return false;
  return mustSetUpTwoFactor(user, role, await accounts.findAccount(accountId));
}

function ended(request: Request, response: Response): Refusal {
  // Of a stream, which asks again and again, the headers are out: it can only be ended.
  if (!response.headersSent) SESSION_COOKIE.clear(request, response);
  return refuse('signed_out', 'This session has ended. Sign in again.');
}
