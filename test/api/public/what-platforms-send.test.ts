import { expect } from 'chai';
import { expectProblem } from '../../support/expect-problem.ts';
import { usePublicApi } from '../support/use-public-api.ts';

describe('api: what platforms send where they have no value', () => {
  const { call } = usePublicApi(['read:leads', 'write:leads']);

  it('keeps no note of a move that is null or empty', async () => {
    const made = await call('post', '/leads', { body: { name: 'Moved' } });
    const { id } = made.body;
    for (const note of [null, '', ' ']) {
      const moved = await call('post', `/leads/${id}/stage`, { body: { stage: 'stg_new', note } });
      expect([moved.status, moved.headers.etag]).to.deep.equal([200, made.headers.etag]);
    }
  });

  it('states in plain words what is wrong with a parameter', async () => {
    const wrong = await call('get', '/leads?limit=1&limit=2&sort=name');
    expectProblem(wrong, 'validation_failed');
    expect(wrong.body.message).to.equal(
      'limit: Sent more than once. Send it once. sort: Not known. Send one of: created_at, -created_at, updated_at, -updated_at. Correct the fields named in errors.',
    );
  });
});
