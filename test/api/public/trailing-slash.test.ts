import { expect } from 'chai';
import { expectProblem } from '../../support/expect-problem.ts';
import { usePublicApi } from '../support/use-public-api.ts';

describe('api: a path of the public API that ends with a slash', () => {
  const { call } = usePublicApi(['read:leads', 'write:leads', 'webhooks']);

  it('is no list, because an empty id would get one for a record', async () => {
    await call('post', '/leads', { body: { name: 'Ada' } });
    for (const path of ['/leads/', '/conversations/', '/webhooks/', '/leads/?limit=1']) {
      const rejected = await call('get', path);
      expectProblem(rejected, 'not_found');
      expect(rejected.body.detail, path).to.contain('id is empty');
    }
  });

  it('is accepted where no id can be missing, so that a flow can be switched off', async () => {
    const body = { url: 'https://1.1.1.1/hook', event: 'lead.created' };
    const { id } = (await call('post', '/webhooks', { body })).body;
    expect((await call('get', `/webhooks/${id}/`)).body.id).to.equal(id);
    expect((await call('get', '/event-kinds/')).status).to.equal(200);
    expect((await call('delete', `/webhooks/${id}/`)).status).to.equal(204);
    expect((await call('delete', '/webhooks/?url=https://1.1.1.1/hook')).status).to.equal(204);
  });
});
