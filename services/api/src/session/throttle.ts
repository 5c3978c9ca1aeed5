import { createHash } from 'node:crypto';
import { limitedAddress } from '@sluice/admission/limited-address';
import type { Rate, RateLimiter } from '@sluice/admission/rate-limiter';
import type { User } from '@sluice/store/users';
import type { Request } from 'express';
import { type Refusal, refuse } from '../http/result.ts';
import { type DeviceDeps, knownDevice } from './device.ts';

const MINUTE = 60;

/** Tries from one address, for any e-mail address: a house full of people behind one address still gets in. */
const PER_ADDRESS = { count: 30, seconds: 5 * MINUTE };

/** Tries at one person's password, from one address or from one known browser: after ten, one a minute. */
const PER_PLACE = { count: 10, seconds: 10 * MINUTE };

/** Tries at one person's password from all unknown browsers together: after 200, two a minute. */
const PER_EMAIL = { count: 200, seconds: 100 * MINUTE };

/** Codes for one sign-in whose password was right: then the password has to be typed again. */
const PER_SECOND_STEP = { count: 5, seconds: 10 * MINUTE };

/** Codes for one user, from all unknown browsers, from one known browser or in one session: a code of six digits is soon guessed. */
const CODES_PER_PLACE = { count: 10, seconds: 60 * MINUTE };

/** Mails with a link for one e-mail address: beyond that nothing is sent, and nobody is told. */
const MAILS_PER_EMAIL = { count: 3, seconds: 60 * MINUTE };

/** Lets somebody try, or says when to try again. Counted in Redis, so that it holds across replicas. */
export interface Throttle {
  /**
   * Before a password is looked at: guessing takes time, and hashing costs us little. A browser in which this person has
   * signed in before is counted alone, so that nobody else's tries keep its owner out.
   */
  signIn(request: Request, email: string): Promise<Refusal | undefined>;
  /** Before a one-time link is looked at. */
  link(request: Request): Promise<Refusal | undefined>;
  /** Before a code is looked at that ends a sign-in, which `tokenHash` names. */
  secondStep(request: Request, tokenHash: string, user: User): Promise<Refusal | undefined>;
  /** Before a code of a signed-in user is checked. Counted by session. */
  sessionCode(sessionId: string): Promise<Refusal | undefined>;
  /** Whether one more mail with a link may go to this e-mail address. */
  mayMail(email: string): Promise<boolean>;
  /** Before the password of a signed-in user is checked. Counted by session: nobody else has it. */
  session(sessionId: string): Promise<Refusal | undefined>;
}

export interface ThrottleDeps extends DeviceDeps {
  readonly take: RateLimiter;
}

export function createThrottle(deps: ThrottleDeps): Throttle {
  const tryOne = async (what: string, who: string, rate: Rate): Promise<Refusal | undefined> => {
    const { allowed, retryAfterSeconds } = await deps.take(what, who, rate);
    return allowed ? undefined : tooMany(retryAfterSeconds);
  };
  const link = (request: Request) => tryOne('sign-in-address', limitedAddress(request.ip), PER_ADDRESS);
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
      if (device !== undefined) return tryOne('sign-in-device', digest(device), PER_PLACE);
      const pair = digest(`${limitedAddress(request.ip)} ${email}`);
      return (
        (await link(request)) ??
        (await tryOne('sign-in-pair', pair, PER_PLACE)) ??
        (await tryOne('sign-in-email', digest(email), PER_EMAIL))
      );
    },
  };
}

function tooMany(retryAfterSeconds: number): Refusal {
  const wait =
    retryAfterSeconds < 90
      ? `${retryAfterSeconds} seconds`
      : `${Math.ceil(retryAfterSeconds / MINUTE)} minutes`;
  return refuse('rate_limited', `Too many tries. Try again in ${wait}.`, { retryAfterSeconds });
}

/** Redis keys contain no e-mail addresses. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
