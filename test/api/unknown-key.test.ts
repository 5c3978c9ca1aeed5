import { createSource } from '@sluice/accounts/sources/create-source';
import { expect } from 'chai';
import { type Person, startApi, type TestApi } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';

describe('api: a key that opens the secrets of no source', () => {
  let api: TestApi;
  let accountId: string;
  let admin: Person;
  before(async () => {
    // The sources of these tests are created with another key, which the ingresses have.
    api = await startApi({ config: { SLUICE_SECRET_KEY: Buffer.alloc(32, 9) } });
    accountId = await api.addAccount();
    admin = await api.addPerson(accountId, 'owner');
  });
  after(() => api?.close());

  it('cannot create or rotate a source whose secret no ingress could open, and the admin gets an error', async () => {
    const made = await createSource(api.deps, { accountId, name: 'Booking' });
    if (made.status !== 'created') throw new Error(made.status);
    const before = await api.store.sources.listSources();
    const { source_id } = made.source;
    for (const answer of [
      await admin.call('post', '/sources', { name: 'Other' }),
      await admin.call('post', `/sources/${source_id}/secret/prepare-rotation`),
    ]) {
      expectProblem(answer, 'conflict');
      expect(answer.body.detail).to.contain('Nothing was changed').and.contain('SLUICE_SECRET_KEY');
    }
    expect(await api.store.sources.listSources()).to.deep.equal(before);
  });
});
