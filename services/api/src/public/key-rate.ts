import type { Rate, RateLimiter, Taken } from '@sluice/admission/rate-limiter';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Response } from 'express';
import { type Refusal, refuse } from '../http/result.ts';

/** The keys of an account together may send as much as this many of them. */
const KEYS_AT_FULL_RATE = 5;

const OVER_RATE = 'This API key is over its rate limit. Wait for Retry-After, then back off exponentially.';

const ACCOUNT_OVER_RATE =
  'The API keys of this account together are over their rate limit. Wait for Retry-After, then back off exponentially.';

/** Counts a request towards the rates of its key and its account, sets the headers of the key's, and rejects it beyond either. */
export async function takeKeyRate(
  { take, keyRate }: { readonly take: RateLimiter; readonly keyRate: Rate },
  { key_id, account_id }: Pick<ApiKey, 'key_id' | 'account_id'>,
  response: Response,
): Promise<Refusal | undefined> {
  const taken = await take('key', key_id, keyRate);
  setRateHeaders(response, keyRate, taken);
  if (!taken.allowed)
    return refuse('rate_limited', OVER_RATE, { retryAfterSeconds: taken.retryAfterSeconds });
  const { allowed, retryAfterSeconds } = await take('account-keys', account_id, accountRate(keyRate));
  return allowed ? undefined : refuse('rate_limited', ACCOUNT_OVER_RATE, { retryAfterSeconds });
}

function accountRate({ count, seconds, burst = count }: Rate): Rate {
  return { count: count * KEYS_AT_FULL_RATE, seconds, burst: burst * KEYS_AT_FULL_RATE };
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
