import supertest from 'supertest';
import type { TestApi } from '../../support/api.ts';

export interface CallOptions {
  readonly body?: object;
  readonly headers?: Record<string, string>;
  /** The API key of the caller. */
  readonly as: string;
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
