import { createSource } from '@sluice/accounts/sources/create-source';
import { expect } from 'chai';
import { created } from '../support/created.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';

describe('api: a key that opens the secrets of no source', () => {
  // The sources of these tests are created with another key, which the ingresses have.
  const api = useApi({ config: { SLUICE_SECRET_KEY: Buffer.alloc(32, 9) } });

  it('cannot create or rotate a source whose secret no ingress could open, and the admin gets an error', async () => {
    const made = created(await createSource(api.deps, { accountId: api.accountId, name: 'Booking' }));
    const before = await api.store.sources.listSources();
    const { source_id } = made.source;
    for (const answer of [
      await api.owner.call('post', '/sources', { name: 'Other' }),
      await api.owner.call('post', `/sources/${source_id}/secret/prepare-rotation`),
    ]) {
      expectProblem(answer, 'conflict');
      expect(answer.body.detail).to.contain('Nothing was changed').and.contain('SLUICE_SECRET_KEY');
    }
    expect(await api.store.sources.listSources()).to.deep.equal(before);
  });
});
