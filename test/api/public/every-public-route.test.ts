import { createKey } from '@sluice/accounts/keys/create-key';
import { PUBLIC_ROUTES } from '@sluice/api/public/routes';
import { SCOPES, type Scope } from '@sluice/contract/account/scopes';
import { expect } from 'chai';
import supertest from 'supertest';
import { startApi, type TestApi } from '../../support/api.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { expectDocumented } from '../../support/openapi.ts';

type Route = (typeof PUBLIC_ROUTES)[number];

/** The cases are made from the list of declared routes, so that no route can be left out. */
describe('api: every route of the public API', () => {
  let api: TestApi;
  let accountId: string;
  before(async () => {
    api = await startApi();
    accountId = await api.addAccount();
  });
  after(() => api?.close());

  async function keyWith(scopes: readonly Scope[], expiresAt: number | null = null) {
    const made = await createKey(api.deps, { accountId, name: 'A key', scopes: [...scopes], expiresAt });
    if (made.status !== 'created') throw new Error(made.status);
    return made;
  }

  async function call(route: Route, key: string) {
    const path = route.path.replace(/:\w+/g, 'lead_none');
    const method = route.method.toLowerCase() as 'get';
    const test = supertest(api.app)[method](path).set('authorization', `Bearer ${key}`);
    const answer = await (route.body === undefined ? test : test.send({}));
    const body = answer.text === '' ? undefined : JSON.parse(answer.text);
    expectDocumented(route.operationId, {
      status: answer.status,
      contentType: answer.headers['content-type'],
      body,
    });
    return answer;
  }

  for (const route of PUBLIC_ROUTES) {
    const name = `${route.method} ${route.path}`;
    const { scopes: needed } = route;

    if (needed !== 'any_live_key')
      it(`${name}: a key without its scopes gets scope_missing, which names them`, async () => {
        const others = (Object.keys(SCOPES) as Scope[]).filter((scope) => !needed.includes(scope));
        const answer = await call(route, (await keyWith(others)).key);
        expectProblem(answer, 'scope_missing');
        expect(JSON.parse(answer.text).required_scopes).to.deep.equal(needed);
        expect(answer.headers['www-authenticate']).to.equal(
          `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`,
        );
      });

    it(`${name}: any one of its scopes is enough`, async () => {
      const enough: readonly Scope[] = needed === 'any_live_key' ? ['webhooks'] : needed;
      for (const scope of enough)
        expect((await call(route, (await keyWith([scope])).key)).status).not.to.be.oneOf([401, 403, 500]);
    });

    it(`${name}: a revoked, an expired and an unknown key get 401`, async () => {
      const all = Object.keys(SCOPES) as Scope[];
      const revoked = await keyWith(all);
      await api.store.apiKeys.revokeApiKey(revoked.apiKey.key_id, Date.now());
      expectProblem(await call(route, revoked.key), 'key_revoked');
      expectProblem(await call(route, (await keyWith(all, Date.now() - 1)).key), 'key_expired');
      expectProblem(await call(route, 'nonsense'), 'key_invalid');
    });
  }
});
