import { mayActAs } from '@sluice/contract/account/roles';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { hashToken } from '@sluice/credentials/token';
import type { ProxyWatch } from '@sluice/runtime/http/proxy-watch';
import type { Accounts } from '@sluice/store/accounts/accounts';
import type { Memberships } from '@sluice/store/accounts/memberships';
import type { Sessions } from '@sluice/store/users/sessions';
import type { Users } from '@sluice/store/users/users';
import { SESSION_COOKIE } from '../browser/cookie.ts';
import { type Refusal, refuse } from '../http/result.ts';
import type { Authenticate, SignedIn } from '../http/signed-in.ts';
import { mustSetUpTwoFactor, TWO_FACTOR_REQUIRED } from './must-set-up.ts';

interface AuthenticateDeps {
  readonly sessions: Pick<Sessions, 'findSession' | 'touchSession'>;
  readonly users: Pick<Users, 'findUser'>;
  readonly memberships: Pick<Memberships, 'findMembership'>;
  readonly accounts: Pick<Accounts, 'findAccount'>;
  readonly now: () => number;
}

/** A session expires after this long without use. */
export const SESSION_MS = 14 * 24 * 60 * MINUTE_MS;

/**
 * The cookie stays. All tabs share one, and the response to an old request can arrive after another tab has signed in. To clear
 * the cookie then would end the new session.
 */
const ENDED: Refusal = refuse('signed_out', 'This session has ended. Sign in again.');

/** Minimum time between updates of a session, so that not every read causes a write. */
const TOUCH_MS = MINUTE_MS;

/**
 * Reads session, role and membership from the store with every request. If an owner removes access, the next request on
 * every replica is rejected. Three lookups by `_id` cost less than a cache that must be kept correct.
 */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const { sessions, users, memberships, now } = deps;
  return async (request, response, { beforeSetUp = false } = {}) => {
    const token = SESSION_COOKIE.read(request);
    if (token === undefined) return refuse('signed_out', 'Sign in to continue.');
    const hash = hashToken(token);
    const session = await sessions.findSession(hash);
    const at = now();
    if (session === undefined || session.expires_at <= at) return ENDED;
    const [user, membership] = await Promise.all([
      users.findUser(session.user_id),
      memberships.findMembership(session.account_id, session.user_id),
    ]);
    if (user === undefined || membership === undefined) return ENDED;
    if (at - session.last_seen_at >= TOUCH_MS) {
      const isThere = await sessions.touchSession(hash, { last_seen_at: at, expires_at: at + SESSION_MS });
      // Another tab may have signed in meanwhile, and its cookie must stay.
      if (isThere && !response.headersSent) SESSION_COOKIE.set(request, response, token, SESSION_MS);
    }
    const who = { user, session, accountId: session.account_id, role: membership.role };
    if (!beforeSetUp && (await lacksSecondFactor(deps, who))) return TWO_FACTOR_REQUIRED;
    return who;
  };
}

/** Reads the account only for roles that may require a second factor, to save one lookup per request. */
async function lacksSecondFactor({ accounts }: AuthenticateDeps, who: SignedIn): Promise<boolean> {
  const { user, role, accountId } = who;
  if (user.two_factor !== undefined || !mayActAs(role, 'admin')) return false;
  return mustSetUpTwoFactor(user, role, await accounts.findAccount(accountId));
}

/** Checks signed-in requests only, because anyone can send the header. */
export function watchProxy(authenticate: Authenticate, watch: ProxyWatch): Authenticate {
  return async (request, response, options) => {
    const who = await authenticate(request, response, options);
    if (!('outcome' in who)) watch.saw(request.headers);
    return who;
  };
}
