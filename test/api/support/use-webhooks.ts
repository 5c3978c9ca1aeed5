import type { Scope } from '@sluice/contract/account/scopes';
import { addKey } from '../../support/api-processes.ts';
import { useApi } from '../../support/use-api.ts';
import { type CallOptions, callPublic } from './public-caller.ts';

const PATH = '/webhooks';
/** An address of the Internet, so that no name must be looked up. */
export const URL_1 = 'https://1.1.1.1/hook';

/** An API with a new account and its key for each test, and the calls about webhook subscriptions. */
export function useWebhooks() {
  const api = useApi();
  let accountId: string;
  let key: string;
  beforeEach(async () => {
    accountId = await api.addAccount();
    key = await keyOf(['webhooks']);
  });

  const keyOf = (scopes: readonly Scope[], account = accountId) => addKey(api, account, scopes);

  const call = (
    method: Parameters<typeof callPublic>[1],
    path: string,
    { as = key, ...options }: Partial<CallOptions> = {},
  ) => callPublic(api, method, PATH + path, { ...options, as });
  const subscribe = (body: object = {}, as = key) =>
    call('post', '', { body: { target_url: URL_1, events: ['lead.created'], ...body }, as });

  return { api: () => api, accountId: () => accountId, keyOf, call, subscribe };
}
