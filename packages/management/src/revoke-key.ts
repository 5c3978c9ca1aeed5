import type { ApiKey, ApiKeys } from '@sluice/store/api-keys';
import type { Deed } from './audit-entry.ts';

export interface RevokeKeyDeps {
  readonly apiKeys: Pick<ApiKeys, 'revokeApiKey'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export type KeyRevoked =
  | { readonly status: 'revoked'; readonly apiKey: ApiKey }
  | { readonly status: 'key_not_found' };

/** Revokes an API key permanently. Every use reads it from MongoDB, so this takes effect at once (service.md 3). */
export async function revokeKey(deps: RevokeKeyDeps, keyId: string): Promise<KeyRevoked> {
  const apiKey = await deps.apiKeys.revokeApiKey(keyId, deps.now());
  return apiKey === undefined ? { status: 'key_not_found' } : { status: 'revoked', apiKey };
}

/** If a process died between the revocation and its audit entry, a retry within this time writes the entry. */
const TRIED_AGAIN_MS = 3_600_000;

/** The audited change. All retries share one entry; undefined if the key was revoked long ago. */
export function revokedDeed({ revoked_at }: ApiKey, target: Deed['target'], nowMs: number): Deed | undefined {
  if (revoked_at === null || nowMs - revoked_at >= TRIED_AGAIN_MS) return undefined;
  return { action: 'key.revoked', target, ongoing: String(revoked_at) };
}
