import type { Scope } from '@sluice/contract/account/scopes';
import { startApi, type TestApi } from '../../support/api.ts';
import { type CallOptions, callPublic, newKey } from './public-caller.ts';

/** An API with an account, a key of these scopes, and the calls of the public API with it. */
export function usePublicApi(scopes: readonly Scope[], options: Parameters<typeof startApi>[0] = {}) {
  let api: TestApi;
  let accountId: string;
  let key: string;
  before(async () => {
    api = await startApi(options);
    accountId = await api.addAccount();
    key = await keyOf(scopes);
  });
  after(() => api?.close());

  const keyOf = (wanted: readonly Scope[], account = accountId) => newKey(api, account, wanted);

  const call = (
    method: Parameters<typeof callPublic>[1],
    path: string,
    { as = key, ...options }: Partial<CallOptions> = {},
  ) => callPublic(api, method, path, { ...options, as });

  return { api: () => api, accountId: () => accountId, keyOf, call };
}
