import type { ApiKey, ApiKeys } from '@sluice/store/api-keys';

export interface RevokeKeyDeps {
  readonly apiKeys: Pick<ApiKeys, 'revokeApiKey'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export type KeyRevoked =
  | { readonly status: 'revoked'; readonly apiKey: ApiKey }
  | { readonly status: 'key_not_found' };

/** Revokes an API key for good; keys are looked up in MongoDB at every use, so it holds at once (service.md 3). */
export async function revokeKey(deps: RevokeKeyDeps, keyId: string): Promise<KeyRevoked> {
  const apiKey = await deps.apiKeys.revokeApiKey(keyId, deps.now());
  return apiKey === undefined ? { status: 'key_not_found' } : { status: 'revoked', apiKey };
}
