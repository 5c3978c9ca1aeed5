import { createKey } from '@sluice/accounts/keys/create-key';
import type { Scope } from '@sluice/contract/account/scopes';
import supertest from 'supertest';
import type { TestApi } from '../../support/api.ts';

export interface CallOptions {
  readonly body?: object;
  readonly headers?: Record<string, string>;
  /** The API key of the caller. */
  readonly as: string;
}

/** Makes a key of an account, and returns its text. */
export async function newKey(api: TestApi, accountId: string, scopes: readonly Scope[]): Promise<string> {
  const wanted = { accountId, name: 'A key', scopes: [...scopes], expiresAt: null };
  const made = await createKey(api.deps, wanted);
  if (made.status !== 'created') throw new Error(made.status);
  return made.key;
}

/** Calls a route of the public API. `path`: below /api/public. */
export function callPublic(
  api: TestApi,
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  { body, headers = {}, as }: CallOptions,
) {
  const test = supertest(api.app)
    [method](`/api/public${path}`)
    .set({ authorization: `Bearer ${as}`, ...headers });
  return body === undefined ? test : test.send(body);
}
