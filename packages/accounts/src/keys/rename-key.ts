import type { ApiKey, ApiKeys } from '@sluice/store/accounts/api-keys';
import type { Deed } from '../audit/audit-entry.ts';

export interface RenameKeyDeps {
  readonly apiKeys: Pick<ApiKeys, 'findApiKey' | 'renameApiKey'>;
}

export type KeyRenamed =
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
