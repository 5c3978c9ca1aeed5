import { HOUR_MS } from '@sluice/contract/time/durations';
import type { ApiKey, ApiKeys } from '@sluice/store/accounts/api-keys';
import type { AuditedChange, Deed } from '../audit/audited.ts';

interface RevokeKeyDeps {
  readonly apiKeys: Pick<ApiKeys, 'revokeApiKey'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export type KeyRevoked =
  | { readonly status: 'revoked'; readonly apiKey: ApiKey }
  | { readonly status: 'key_not_found' };

/** Revokes an API key permanently. Every use reads it from MongoDB, so this takes effect at once. */
export async function revokeKey(deps: RevokeKeyDeps, keyId: string): Promise<KeyRevoked> {
  const apiKey = await deps.apiKeys.revokeApiKey(keyId, deps.now());
  return apiKey === undefined ? { status: 'key_not_found' } : { status: 'revoked', apiKey };
}

/** A revocation that is repeated within this time belongs to the same entry, and confirms it if a process died meanwhile. */
const TRIED_AGAIN_MS = HOUR_MS;

/**
 * The audit entry of the revocation of a key as read before it, which `work` makes at this time. Undefined: the key was revoked long
 * ago, so it has its entry.
 */
export function auditedRevocation(
  { revoked_at }: Pick<ApiKey, 'revoked_at'>,
  target: Deed['target'],
  { work, now }: { readonly work: (at: number) => Promise<KeyRevoked>; readonly now: number },
): AuditedChange<KeyRevoked> | undefined {
  if (revoked_at !== null && now - revoked_at >= TRIED_AGAIN_MS) return undefined;
  const at = revoked_at ?? now;
  const deedAt = (when: number | null): Deed => ({ action: 'key.revoked', target, ongoing: String(when) });
  return {
    intent: deedAt(at),
    work: () => work(at),
    deed: (result) => (result.status === 'revoked' ? deedAt(result.apiKey.revoked_at) : undefined),
  };
}

interface RenameKeyDeps {
  readonly apiKeys: Pick<ApiKeys, 'findApiKey' | 'renameApiKey'>;
}

type KeyRenamed =
  | { readonly status: 'renamed'; readonly apiKey: ApiKey; readonly oldName: string }
  /** It has this name already. */
  | { readonly status: 'unchanged'; readonly apiKey: ApiKey }
  | { readonly status: 'key_not_found' };

/** Renames an API key, even a revoked one. The key itself, its scopes and its expiry stay. */
export async function renameKey(
  { apiKeys }: RenameKeyDeps,
  keyId: string,
  name: string,
): Promise<KeyRenamed> {
  const before = await apiKeys.findApiKey(keyId);
  if (before === undefined) return { status: 'key_not_found' };
  if (before.name === name) return { status: 'unchanged', apiKey: before };
  const apiKey = await apiKeys.renameApiKey(keyId, name);
  if (apiKey === undefined) return { status: 'key_not_found' };
  return { status: 'renamed', apiKey, oldName: before.name };
}

/** The audited change. */
export function renamedDeed(target: Deed['target'], oldName: string): Deed {
  return { action: 'key.renamed', target, detail: `was “${oldName}”` };
}
