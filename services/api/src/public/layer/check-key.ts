import type { Rate, RateLimiter, Taken } from '@sluice/admission/rate-limiter';
import type { Scope } from '@sluice/contract/account/scopes';
import { checkApiKeyForm } from '@sluice/credentials/api-key';
import type { ApiKey, ApiKeys } from '@sluice/store/accounts/api-keys';
import type { Response } from 'express';
import { type Refusal, refuse } from '../../http/result.ts';
import type { ScopesNeeded } from './declare-route.ts';

type KeyChecked = { readonly outcome: 'live'; readonly apiKey: ApiKey } | Refusal;

export interface AuthenticateKeyDeps {
  readonly apiKeys: Pick<ApiKeys, 'findApiKeyByHash'>;
  readonly now: () => number;
}

const MISSING = refuse('key_missing', 'Send the API key in the header: Authorization: Bearer slc_live_….');
const MALFORMED = refuse(
  'key_invalid',
  'Not a valid API key. It starts with slc_live_. Copy the whole key from the dashboard.',
);
const MISTYPED = refuse(
  'key_invalid',
  'This API key has a typo: its checksum does not match. Copy the whole key again.',
);
const UNKNOWN = refuse(
  'key_invalid',
  'This API key does not exist. Create one in the dashboard under Settings, API Keys.',
);
const REVOKED = refuse('key_revoked', 'This API key was revoked. Create a new one in the dashboard.');
const EXPIRED = refuse('key_expired', 'This API key has expired. Create a new one in the dashboard.');

/**
 * Authenticates the API key of a request. Every request reads the key from the primary, without a cache: once MongoDB
 * has confirmed a revocation, every replica rejects the next request. Concurrent requests share a read that begins after
 * all of them arrived (batches/batched-store.ts). A mistyped key costs only a checksum.
 */
export async function authenticateKey(
  { apiKeys, now }: AuthenticateKeyDeps,
  authorization: string | undefined,
): Promise<KeyChecked> {
  const text = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (text === undefined) return MISSING;
  const form = checkApiKeyForm(text);
  switch (form.status) {
    case 'malformed':
      return MALFORMED;
    case 'checksum_wrong':
      return MISTYPED;
    case 'plausible':
      break;
  }
  const apiKey = await apiKeys.findApiKeyByHash(form.hash);
  if (apiKey === undefined) return UNKNOWN;
  if (apiKey.revoked_at !== null) return REVOKED;
  if (apiKey.expires_at !== null && apiKey.expires_at <= now()) return EXPIRED;
  return { outcome: 'live', apiKey };
}

/** Rejects a key without any scope that the route accepts. */
export function refuseMissingScope(
  needed: ScopesNeeded,
  { scopes, name }: Pick<ApiKey, 'scopes' | 'name'>,
): Refusal | undefined {
  if (needed === 'any_live_key' || needed.some((scope) => scopes.includes(scope))) return undefined;
  const detail = `The API key "${name}" lacks the scope ${orList(needed)}. Create a key with it in the dashboard under Settings, API Keys.`;
  return refuse('scope_missing', detail, { requiredScopes: needed });
}

function orList(scopes: readonly Scope[]): string {
  return scopes.join(' or ');
}

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
