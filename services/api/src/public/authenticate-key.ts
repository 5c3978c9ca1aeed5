import { checkApiKeyForm } from '@sluice/credentials/api-key';
import type { ApiKey, ApiKeys } from '@sluice/store/accounts/api-keys';
import { type Refusal, refuse } from '../http/result.ts';

export type KeyChecked = { readonly outcome: 'live'; readonly apiKey: ApiKey } | Refusal;

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
