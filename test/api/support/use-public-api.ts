import type { Scope } from '@sluice/contract/account/scopes';
import type { TestApiSettings } from '../../support/api.ts';
import { addKey } from '../../support/api-processes.ts';
import { useApi } from '../../support/use-api.ts';
import { type CallOptions, callPublic } from './public-caller.ts';

/** An API with an account, a key of these scopes, and the calls of the public API with it. */
export function usePublicApi(scopes: readonly Scope[], options: TestApiSettings = {}) {
  const api = useApi(options);
  let key: string;
  before(async () => {
    key = await keyOf(scopes);
  });

  const keyOf = (wanted: readonly Scope[], account = api.accountId) => addKey(api, account, wanted);

  const call = (
    method: Parameters<typeof callPublic>[1],
    path: string,
    { as = key, ...options }: Partial<CallOptions> = {},
  ) => callPublic(api, method, path, { ...options, as });

  return { api: () => api, accountId: () => api.accountId, keyOf, call };
}
