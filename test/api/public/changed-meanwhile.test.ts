import { expect } from 'chai';
import { expectProblem } from '../../support/expect-problem.ts';
import { usePublicApi } from '../support/use-public-api.ts';

describe('api: a request that got 412', () => {
  const { call } = usePublicApi(['read:leads', 'write:leads']);

  it('can be sent again with the new ETag and the same Idempotency-Key', async () => {
    const made = await call('post', '/leads', { body: { name: 'Ada' } });
    const path = `/leads/${made.body.id}/stage`;
    const move = (etag: string) =>
      call('post', path, {
        body: { stage: 'stg_won' },
        headers: { 'if-match': etag, 'idempotency-key': 'move-1' },
      });
    const noted = await call('post', path, { body: { stage: 'stg_new', note: 'Called back' } });
    expectProblem(await move(made.headers.etag as string), 'changed_meanwhile');
    const moved = await move(noted.headers.etag as string);
    expect(moved.status, moved.text).to.equal(200);
    expect(moved.body.stage).to.equal('stg_won');
    expect((await move(noted.headers.etag as string)).headers['idempotency-replayed']).to.equal('true');
  });
});
