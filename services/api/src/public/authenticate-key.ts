import { checkApiKeyForm } from '@sluice/credentials/api-key';
import type { ApiKey, ApiKeys } from '@sluice/store/api-keys';
import { type Refusal, refuse } from '../http/result.ts';

export type KeyChecked = { readonly outcome: 'live'; readonly apiKey: ApiKey } | Refusal;

export interface AuthenticateKeyDeps {
  readonly apiKeys: Pick<ApiKeys, 'findApiKeyByHash'>;
  readonly now: () => number;
}

const MISSING = refuse('key_missing', 'Send the API key in the header: Authorization: Bearer slc_live_….');
const MALFORMED = refuse(
  'key_invalid',
  'This is no API key. It begins with slc_live_ and is copied whole from the dashboard.',
);
const MISTYPED = refuse(
  'key_invalid',
  'This API key has a typo: its checksum does not fit. Copy it whole once more.',
);
const UNKNOWN = refuse(
  'key_invalid',
  'Nobody has this API key. Create one in the dashboard under Settings, API Keys.',
);
const REVOKED = refuse('key_revoked', 'This API key was revoked. Create another one in the dashboard.');
const EXPIRED = refuse('key_expired', 'This API key has expired. Create another one in the dashboard.');

/**
 * Reads the key of a request and looks it up, every time and in the primary: a revocation that MongoDB has confirmed
 * holds for the next request on every replica, with no cache that could be behind. It is one read of a unique index, of
 * requests that are limited to a few a second for each key; what mistyped keys cost is a checksum.
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
