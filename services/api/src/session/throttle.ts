import { createHash } from 'node:crypto';
import { limitedAddress } from '@sluice/admission/limited-address';
import type { RateLimiter } from '@sluice/admission/rate-limiter';
import type { Request } from 'express';
import { type Refusal, refuse } from '../http/result.ts';

const MINUTE = 60;

/** Tries at guessing, whatever the email: a house full of people behind one address still gets in. */
const PER_ADDRESS = { count: 30, seconds: 5 * MINUTE };

/** Tries at one person's password, from anywhere: after ten, one a minute. */
const PER_EMAIL = { count: 10, seconds: 10 * MINUTE };

/** Lets somebody try, or says when to try again. Counted in Redis, so that it holds across replicas. */
export type Throttle = (request: Request, email: string | null) => Promise<Refusal | undefined>;

/** Before a password is looked at: guessing is to cost time, and hashing is to cost us little. */
export function createThrottle(take: RateLimiter): Throttle {
  return async (request, email) => {
    const byAddress = await take('sign-in-address', limitedAddress(request.ip), PER_ADDRESS);
    if (!byAddress.allowed) return tooMany(byAddress.retryAfterSeconds);
    if (email === null) return undefined;
    const byEmail = await take('sign-in-email', digest(email), PER_EMAIL);
    return byEmail.allowed ? undefined : tooMany(byEmail.retryAfterSeconds);
  };
}

function tooMany(retryAfterSeconds: number): Refusal {
  const wait =
    retryAfterSeconds < 90
      ? `${retryAfterSeconds} seconds`
      : `${Math.ceil(retryAfterSeconds / MINUTE)} minutes`;
  return refuse('rate_limited', `Too many tries to sign in. Try again in ${wait}.`, { retryAfterSeconds });
}

/** Redis keys hold no email addresses. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
