import type { Rate, RateLimiter, Taken } from '@sluice/admission/rate-limiter';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Response } from 'express';
import { type Refusal, refuse } from '../http/result.ts';

const OVER_RATE = 'This API key is over its rate limit. Wait for Retry-After, then back off exponentially.';

/** Counts a request towards its key's rate, sets the headers, and rejects it beyond the rate. */
export async function takeKeyRate(
  { take, keyRate }: { readonly take: RateLimiter; readonly keyRate: Rate },
  { key_id }: Pick<ApiKey, 'key_id'>,
  response: Response,
): Promise<Refusal | undefined> {
  const taken = await take('key', key_id, keyRate);
  setRateHeaders(response, keyRate, taken);
  if (taken.allowed) return undefined;
  return refuse('rate_limited', OVER_RATE, { retryAfterSeconds: taken.retryAfterSeconds });
}

/**
 * Sets the headers of draft-ietf-httpapi-ratelimit-headers, as the webhook does. The quota is the burst; the window is
 * the time in which a used-up quota is complete again.
 */
function setRateHeaders(response: Response, rate: Rate, { remaining, resetSeconds }: Taken): void {
  const { count, seconds, burst = count } = rate;
  const window = Math.ceil((burst * seconds) / count);
  response.setHeader('ratelimit-policy', `"key";q=${burst};w=${window}`);
  response.setHeader('ratelimit', `"key";r=${remaining};t=${resetSeconds}`);
}
