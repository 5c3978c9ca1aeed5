import { createChannel } from '@sluice/accounts/sources/create-channel';
import { createSource } from '@sluice/accounts/sources/create-source';
import { expect } from 'chai';
import { created } from '../../support/created.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { usePublicApi } from '../support/use-public-api.ts';

describe('api: queries and paths of the public API', () => {
  const { api, accountId, call } = usePublicApi([
    ...(['read:leads', 'write:leads', 'read:conversations', 'webhooks'] as const),
  ]);

  describe('a + that was not encoded in a query of the public API', () => {
    it('is read in an email address, a phone number and an instant', async () => {
      const body = { name: 'Grace', email: 'grace+crm@example.com', phone: '+49 30 901 820' };
      const { id } = (await call('post', '/leads', { body })).body;
      for (const query of [
        'email=grace+crm@example.com',
        'phone=+49 30901820',
        'phone=%2B4930901820',
        'updated_since=2026-01-01T00:00:00+02:00',
      ])
        expect((await call('get', `/leads?${query}`)).body.data, query).to.have.nested.property('0.id', id);
    });
  });

  describe('unknown parameters of the public API', () => {
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

  describe('a path of the public API that ends with a slash', () => {
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

  describe('what platforms send where they have no value', () => {
    it('states in plain words what is wrong with a parameter', async () => {
      const wrong = await call('get', '/leads?limit=1&limit=2&sort=name');
      expectProblem(wrong, 'validation_failed');
      expect(wrong.body.message).to.equal(
        'limit: Sent more than once. Send it once. sort: Not known. Send one of: created_at, -created_at, updated_at, -updated_at. Correct the fields named in errors.',
      );
    });
  });

  describe('filters by something that the account does not have', () => {
    it('a list of leads by a stage that is unknown or empty is rejected, and one that is being retired is not', async () => {
      await call('post', '/leads', { body: { name: 'Ada', stage: 'stg_won' } });
      for (const stage of ['stg_wno', '', 'Won']) {
        const rejected = await call('get', `/leads?stage=${stage}`);
        expectProblem(rejected, 'unknown_stage');
        expect(rejected.body.errors[0].pointer).to.equal('/stage');
      }
      expect((await call('get', '/leads?stage=stg_won')).body.data).to.have.length(1);
      const { leadSettings } = api().store;
      const settings = await leadSettings.findSettings(accountId());
      const stages = settings.stages.map((stage) => ({
        ...stage,
        ...(stage.id === 'stg_won' && {
          retiring: { into: 'stg_lost', since: 0, actor: { type: 'system', id: 'test' } as const },
        }),
      }));
      await leadSettings.putSettings({ ...settings, stages });
      expect((await call('get', '/leads?stage=stg_won')).status).to.equal(200);
    });

    it('a list of conversations by a channel that is unknown, of another account or an event source is rejected', async () => {
      const made = async (account: string) => {
        const channel = created(await createChannel(api().deps, { accountId: account, name: 'Chat' }));
        return channel.channel.source_id;
      };
      const own = await made(accountId());
      const source = created(await createSource(api().deps, { accountId: accountId(), name: 'Booking' }));
      for (const id of ['chn_none', '', await made(await api().addAccount()), source.source.source_id]) {
        const rejected = await call('get', `/conversations?channel=${id}`);
        expectProblem(rejected, 'validation_failed');
        expect(rejected.body.errors[0].pointer).to.equal('/channel');
      }
      expect((await call('get', `/conversations?channel=${own}`)).body.data).to.deep.equal([]);
    });
  });

  it('find the fields of leads by a part of their key or label', async () => {
    const found = await call('get', '/leads/fields?q=COMP');
    expect(found.body.map((field: { key: string }) => field.key)).to.deep.equal(['company']);
    expectProblem(await call('get', '/leads/fields?part=comp'), 'validation_failed');
  });
});
