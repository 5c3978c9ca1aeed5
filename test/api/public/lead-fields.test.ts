import { createKey } from '@sluice/accounts/keys/create-key';
import { expect } from 'chai';
import supertest from 'supertest';
import { startApi, type TestApi } from '../../support/api.ts';
import { expectProblem } from '../../support/expect-problem.ts';

describe('api: the fields of leads', () => {
  let api: TestApi;
  after(() => api?.close());

  it('are found by a part of their key or label, and an unknown parameter is rejected', async () => {
    api = await startApi();
    const wanted = { accountId: await api.addAccount(), name: 'A key', expiresAt: null };
    const made = await createKey(api.deps, { ...wanted, scopes: ['write:leads'] });
    if (made.status !== 'created') throw new Error(made.status);
    const get = (query: string) =>
      supertest(api.app).get(`/api/public/leads/fields?${query}`).set('authorization', `Bearer ${made.key}`);
    const found = await get('q=COMP');
    expect(found.body.map((field: { key: string }) => field.key)).to.deep.equal(['company']);
    expectProblem(await get('part=comp'), 'validation_failed');
  });
});
