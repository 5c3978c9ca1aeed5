import { IDENTITY_PATH, type Identity, identity } from '@sluice/contract/api/public-api';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import type { Accounts } from '@sluice/store/accounts/accounts';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import { type PublicCall, publicRoute } from './layer/declare-route.ts';

/** The identity check of an automation platform. It needs no scope. */
export const identify = publicRoute({
  method: 'GET',
  path: IDENTITY_PATH,
  operationId: 'identify',
  tag: 'Public API',
  summary: 'Check an API key',
  description: 'Returns the account and the permissions of the key. Any live key works; no scope is needed.',
  scopes: 'any_live_key',
  success: { 200: 'The key is live.' },
  response: identity,
  problems: [],
  async handler(
    { accountId, apiKey }: PublicCall,
    { accounts }: { readonly accounts: Pick<Accounts, 'findAccount'> },
  ) {
    const account = await accounts.findAccount(accountId);
    if (account === undefined) throw new Error(`the key ${apiKey.key_id} belongs to no account`);
    return { outcome: 'done', body: describe(apiKey, account) };
  },
});

function describe(key: ApiKey, { account_id, name }: { account_id: string; name: string }): Identity {
  return {
    account: { id: account_id, name },
    key: {
      id: key.key_id,
      name: key.name,
      prefix: key.prefix,
      scopes: [...key.scopes],
      created_at: formatInstant(key.created_at),
      expires_at: instantOrNull(key.expires_at),
      last_used_at: instantOrNull(key.last_used_at),
    },
  };
}
