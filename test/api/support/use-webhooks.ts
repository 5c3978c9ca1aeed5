import type { Scope } from '@sluice/contract/scopes';
import { createKey } from '@sluice/management/create-key';
import supertest from 'supertest';
import { startApi, type TestApi } from '../../support/api.ts';

const PATH = '/api/public/webhooks';
/** An address of the Internet, so that no name must be looked up. */
export const URL_1 = 'https://1.1.1.1/hook';

interface CallOptions {
  readonly body?: object;
  readonly headers?: Record<string, string>;
  /** The API key of the caller. */
  readonly as?: string;
}

/** An API with a new account and its key for each test, and the calls about webhook subscriptions. */
export function useWebhooks() {
  let api: TestApi;
  let accountId: string;
  let key: string;
  before(async () => {
    api = await startApi({ config: { KEY_RATE_BURST: 1, KEY_RATE_PER_MINUTE: 1 } });
  });
  beforeEach(async () => {
    accountId = await api.addAccount();
    key = await keyOf(['webhooks']);
  });
  after(() => api?.close());

  async function keyOf(scopes: readonly Scope[], account = accountId): Promise<string> {
    const wanted = { accountId: account, name: 'A key', scopes: [...scopes], expiresAt: null };
    const made = await createKey(api.deps, wanted);
    if (made.status !== 'created') throw new Error(made.status);
    return made.key;
  }

  const call = (
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    { body, headers = {}, as = key }: CallOptions = {},
  ) => {
    const test = supertest(api.app)
      [method](PATH + path)
      .set({ authorization: `Bearer ${as}`, ...headers });
    return body === undefined ? test : test.send(body);
  };
  const subscribe = (body: object = {}, as = key) =>
    call('post', '', { body: { target_url: URL_1, events: ['lead.created'], ...body }, as });

  return { api: () => api, accountId: () => accountId, keyOf, call, subscribe };
}
