import type { Scope } from '@sluice/contract/scopes';
import { createKey } from '@sluice/management/create-key';
import supertest from 'supertest';
import { startApi, type TestApi } from '../../support/api.ts';

interface CallOptions {
  readonly body?: object;
  readonly headers?: Record<string, string>;
  /** The API key of the caller. */
  readonly as?: string;
}

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

  async function keyOf(wanted: readonly Scope[], account = accountId): Promise<string> {
    const made = await createKey(api.deps, {
      ...{ accountId: account, name: 'A key', scopes: [...wanted], expiresAt: null },
    });
    if (made.status !== 'created') throw new Error(made.status);
    return made.key;
  }

  const call = (
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    { body, headers = {}, as = key }: CallOptions = {},
  ) => {
    const test = supertest(api.app)
      [method](`/api/public${path}`)
      .set({ authorization: `Bearer ${as}`, ...headers });
    return body === undefined ? test : test.send(body);
  };

  return { api: () => api, accountId: () => accountId, keyOf, call };
}
