import { createKey } from '@sluice/management/create-key';
import { expect } from 'chai';
import supertest from 'supertest';
import { startApi, type TestApi } from '../../support/api.ts';
import { expectProblem } from '../../support/expect-problem.ts';

describe('api: a request that got 412', () => {
  let api: TestApi;
  let key: string;
  before(async () => {
    api = await startApi();
    const made = await createKey(api.deps, {
      ...{ accountId: await api.addAccount(), name: 'A key', expiresAt: null },
      scopes: ['read:leads', 'write:leads'],
    });
    if (made.status !== 'created') throw new Error(made.status);
    key = made.key;
  });
  after(() => api?.close());

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    supertest(api.app)
      .post(`/api/public${path}`)
      .set({ authorization: `Bearer ${key}`, ...headers })
      .send(body);

  it('can be sent again with the new ETag and the same Idempotency-Key', async () => {
    const made = await post('/leads', { name: 'Ada' });
    const path = `/leads/${made.body.id}/stage`;
    const move = (etag: string) =>
      post(path, { stage: 'stg_won' }, { 'if-match': etag, 'idempotency-key': 'move-1' });
    const noted = await post(path, { stage: 'stg_new', note: 'Called back' });
    expectProblem(await move(made.headers.etag as string), 'changed_meanwhile');
    const moved = await move(noted.headers.etag as string);
    expect(moved.status, moved.text).to.equal(200);
    expect(moved.body.stage).to.equal('stg_won');
    expect((await move(noted.headers.etag as string)).headers['idempotency-replayed']).to.equal('true');
  });
});
