import { expect } from 'chai';
import { expectProblem } from '../../support/expect-problem.ts';
import { usePublicApi } from '../support/use-public-api.ts';

describe('api: unknown parameters of the public API', () => {
  const { call } = usePublicApi(['read:leads', 'write:leads', 'webhooks']);

  it('are rejected with their name by each route that has no parameters', async () => {
    const { id } = (await call('post', '/leads', { body: { name: 'Ada' } })).body;
    for (const [method, path, body] of [
      ['get', '/automation/me', undefined],
      ['get', `/leads/${id}`, undefined],
      ['patch', `/leads/${id}`, { company: 'Engines' }],
      ['post', `/leads/${id}/stage`, { stage: 'stg_won' }],
      ['post', '/webhooks', { url: 'https://1.1.1.1/hook', event: 'lead.created' }],
      ['post', '/webhooks/sub_1/deliveries/msg_1/redeliver', undefined],
    ] as const) {
      const rejected = await call(method, `${path}?dry_run=true`, body && { body });
      expectProblem(rejected, 'validation_failed');
      expect(rejected.body.errors[0].pointer, path).to.equal('/dry_run');
    }
    expect((await call('get', `/leads/${id}`)).body).to.include({ company: null, stage: 'stg_new' });
    expect((await call('get', '/webhooks')).body.data).to.deep.equal([]);
  });

  it('are called parameters, and so is one that is sent twice', async () => {
    const detailOf = async (method: 'get' | 'delete', path: string) =>
      (await call(method, path)).body.errors[0].detail;
    expect(await detailOf('get', '/leads?page=2')).to.match(/^Unknown parameter\./);
    for (const path of ['/leads?tag=a&tag=b', '/leads?limit=1&limit=2', '/webhooks?url=a&url=b'])
      expect(await detailOf('get', path), path).to.match(/^Sent more than once\./);
    expect(await detailOf('delete', '/webhooks?url=a&url=b')).to.match(/^Sent more than once\./);
  });

  it('are ignored by a delete, so that a flow that adds one can be switched off', async () => {
    const body = { url: 'https://1.1.1.1/hook', event: 'lead.created' };
    const { id } = (await call('post', '/webhooks', { body })).body;
    expect((await call('delete', `/webhooks/${id}?_=1`)).status).to.equal(204);
    expectProblem(await call('get', `/webhooks/${id}`), 'not_found');
  });
});
