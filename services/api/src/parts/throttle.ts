import { createHash } from 'node:crypto';
import { limitedAddress } from '@sluice/admission/limited-address';
import type { Rate, RateLimiter } from '@sluice/admission/rate-limiter';
import type { User } from '@sluice/store/users/users';
import type { Request } from 'express';
import { type DeviceDeps, knownDevice } from '../browser/cookie.ts';
import { type Refusal, refuse } from '../http/result.ts';
import type { Asker } from './password.ts';

const MINUTE = 60;

/** Attempts per address, for any email address. High enough for many people behind one address. */
const PER_ADDRESS = { count: 30, seconds: 5 * MINUTE };

/** The same for a /48 of IPv6 addresses, the largest network that one customer usually has. It has 65,536 /64. */
const PER_SITE = { count: 120, seconds: 5 * MINUTE };

/** Attempts at one user's password per address or known browser: after ten, one a minute. */
const PER_PLACE = { count: 10, seconds: 10 * MINUTE };

/** Attempts at one user's password from all unknown browsers together: after 200, two a minute. */
const PER_EMAIL = { count: 200, seconds: 100 * MINUTE };

/** Codes per sign-in with a correct password. After that the password must be entered again. */
const PER_SECOND_STEP = { count: 5, seconds: 10 * MINUTE };

/** Codes per user, per known browser, per session, or over all unknown browsers: six digits are easy to guess. */
const CODES_PER_PLACE = { count: 10, seconds: 60 * MINUTE };

/** Reset mails per email address. Beyond that nothing is sent, and the response stays the same. */
const MAILS_PER_EMAIL = { count: 3, seconds: 60 * MINUTE };

/** Limits attempts, or returns when to try again. Counted in Redis, so the limits apply across replicas. */
export interface Throttle {
  /**
   * Call before checking a password: this slows guessing. A browser in which this user has signed in before is counted
   * separately, so that attempts by others do not lock the user out.
   */
  signIn(request: Request, email: string): Promise<Refusal | Attempt>;
  /** Call before looking up a one-time link. */
  link(request: Request): Promise<Refusal | undefined>;
  /** Call before checking the code of a sign-in, identified by `tokenHash`. */
  secondStep(request: Request, tokenHash: string, user: User): Promise<Refusal | undefined>;
  /** Call before checking a signed-in user's code. Counted per session. */
  sessionCode(sessionId: string): Promise<Refusal | undefined>;
  /** Whether another reset mail may be sent to this email address. */
  mayMail(email: string): Promise<boolean>;
  /** Call before checking a signed-in user's password. Counted per session, which no one else has. */
  session(sessionId: string): Promise<Refusal | undefined>;
}

/** An attempt at a password that may be checked, and whose it is. */
export interface Attempt {
  readonly outcome: 'allowed';
  readonly asker: Asker;
}

export interface ThrottleDeps extends DeviceDeps {
  readonly take: RateLimiter;
}

export function createThrottle(deps: ThrottleDeps): Throttle {
  const tryOne = async (what: string, who: string, rate: Rate): Promise<Refusal | undefined> => {
    const { allowed, retryAfterSeconds } = await deps.take(what, who, rate);
    return allowed ? undefined : tooMany(retryAfterSeconds);
  };
  const link = async ({ ip }: Request) =>
    (await tryOne('sign-in-address', limitedAddress(ip), PER_ADDRESS)) ??
    (await tryOne('sign-in-site', limitedAddress(ip, 48), PER_SITE));
  const stranger = async (request: Request, email: string) =>
    (await link(request)) ??
    (await tryOne('sign-in-pair', digest(`${limitedAddress(request.ip)} ${email}`), PER_PLACE)) ??
    (await tryOne('sign-in-email', digest(email), PER_EMAIL));
  return {
    link,
    sessionCode: (sessionId) => tryOne('session-code', sessionId, CODES_PER_PLACE),
    session: (sessionId) => tryOne('session-proof', sessionId, PER_PLACE),
    mayMail: async (email) => (await tryOne('reset-mail', digest(email), MAILS_PER_EMAIL)) === undefined,
    async secondStep(request, tokenHash, { user_id, email }) {
      const device = await knownDevice(deps, request, email);
      return (
        (await tryOne('code-sign-in', digest(tokenHash), PER_SECOND_STEP)) ??
        (await tryOne('code-place', device === undefined ? user_id : digest(device), CODES_PER_PLACE))
      );
    },
    async signIn(request, email) {
      const device = await knownDevice(deps, request, email);
      return device === undefined
        ? ((await stranger(request, email)) ?? { outcome: 'allowed', asker: 'stranger' })
        : ((await tryOne('sign-in-device', digest(device), PER_PLACE)) ?? {
            outcome: 'allowed',
            asker: 'known',
          });
    },
  };
}

function tooMany(retryAfterSeconds: number): Refusal {
  const wait =
    retryAfterSeconds < 90
      ? `${retryAfterSeconds} seconds`
      : `${Math.ceil(retryAfterSeconds / MINUTE)} minutes`;
  return refuse('rate_limited', `Too many attempts. Try again in ${wait}.`, { retryAfterSeconds });
}

/** Hashes text, so that Redis keys contain no email addresses. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
