import type { Scope } from '@sluice/contract/account/scopes';
import { newApiKey } from '@sluice/credentials/api-key';
import { newId } from '@sluice/credentials/ids';
import type { Accounts } from '@sluice/store/accounts/accounts';
import type { ApiKey, ApiKeys } from '@sluice/store/accounts/api-keys';

export interface CreateKeyDeps {
  readonly accounts: Pick<Accounts, 'findAccount'>;
  readonly apiKeys: Pick<ApiKeys, 'insertApiKey'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export interface NewKey {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since the Unix epoch; null: never expires. */
  readonly expiresAt: number | null;
  /** The key that it is made to replace. */
  readonly replaces?: string;
}

export type KeyCreated =
  /** `key` is the full key: shown once, stored nowhere. */
  | { readonly status: 'created'; readonly key: string; readonly apiKey: ApiKey }
  | { readonly status: 'account_not_found' };

/** Creates an API key. */
export async function createKey(deps: CreateKeyDeps, input: NewKey): Promise<KeyCreated> {
  if ((await deps.accounts.findAccount(input.accountId)) === undefined)
    return { status: 'account_not_found' };
  const { key, prefix, hash } = newApiKey();
  const apiKey: ApiKey = {
    key_id: newId('key'),
    account_id: input.accountId,
    name: input.name,
    prefix,
    hash,
    scopes: [...new Set(input.scopes)],
    created_at: deps.now(),
    expires_at: input.expiresAt,
    revoked_at: null,
    last_used_at: null,
    last_used_from: null,
    ...(input.replaces !== undefined && { replaces: input.replaces }),
  };
  await deps.apiKeys.insertApiKey(apiKey);
  return { status: 'created', key, apiKey };
}
