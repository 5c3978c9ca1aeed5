import { createKey } from '@sluice/accounts/keys/create-key';
import { createSource } from '@sluice/accounts/sources/create-source';
import type { AuditItem } from '@sluice/dashboard-api/audit';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { created } from '../support/created.ts';
import { useApi } from '../support/use-api.ts';
import { dyingBehindAChange } from './support/dying-behind-a-change.ts';
import { callPublic } from './support/public-caller.ts';

describe('api: a change whose audit entry could not be confirmed', () => {
  const api = useApi();

  const dying = <T>(work: () => PromiseLike<T>) => dyingBehindAChange(api.store, work);
  const entries = async (action: string, id: string): Promise<AuditItem[]> =>
    (await api.owner.read(`/audit?action=${action}`)).items.filter(
      ({ target }: AuditItem) => target.id === id,
    );
  const isConfirmed = ({ unconfirmed }: AuditItem) => unconfirmed === undefined;
  const newKey = async () => {
    const made = created(
      await createKey(api.deps, {
        accountId: api.accountId,
        name: 'A key',
        scopes: ['webhooks'],
        expiresAt: null,
      }),
    );
    return { id: made.apiKey.key_id, key: made.key };
  };

  const newSource = async () => {
    const made = created(await createSource(api.deps, { accountId: api.accountId, name: 'A source' }));
    return made.source.source_id;
  };

  it('a revoked key has one entry, which a retry confirms', async () => {
    const { id } = await newKey();
    const revoke = () => api.owner.call('post', `/keys/${id}/revoke`);
    expect((await dying(revoke)).status).to.equal(500);
    expect((await entries('key.revoked', id)).map(isConfirmed)).to.deep.equal([false]);
    expect((await revoke()).status).to.equal(200);
    expect((await revoke()).status).to.equal(200);
    expect((await entries('key.revoked', id)).map(isConfirmed)).to.deep.equal([true]);
  });

  it('a revocation that Redis does not learn of has its entry, confirmed, and a retry adds none', async () => {
    const { id, key } = await newKey();
    const wanted = { target_url: 'https://1.1.1.1/hook', events: ['lead.created'] };
    expect((await callPublic(api, 'post', '/webhooks', { as: key, body: wanted })).status).to.equal(201);
    const revoke = () => api.owner.call('post', `/keys/${id}/revoke`);
    // Redis rejects every change of the account's subscriptions, because their key has another type.
    const subscriptions = createKeyspace(api.namespace).subscriptions(api.accountId);
    await api.redis.set(subscriptions, 'blocked');
    expect((await revoke()).status).to.equal(500);
    expect((await api.store.apiKeys.findApiKey(id))?.revoked_at).to.be.a('number');
    expect((await entries('key.revoked', id)).map(isConfirmed)).to.deep.equal([true]);
    await api.redis.del(subscriptions);
    expect((await revoke()).status).to.equal(200);
    expect((await entries('key.revoked', id)).map(isConfirmed)).to.deep.equal([true]);
    const [left] = await api.store.subscriptions.listOfKey(id);
    expect(left?.paused?.reason).to.equal('key_revoked');
  });

  it('a rotation has one entry with its first detail after a repeated confirmation', async () => {
    const id = await newSource();
    const { body } = await api.owner.call('post', `/sources/${id}/secret/prepare-rotation`);
    const { rotation_token } = body;
    const confirm = () =>
      api.owner.call('post', `/sources/${id}/secret/confirm-rotation`, { rotation_token, overlap: '1h' });
    expect((await dying(confirm)).status).to.equal(500);
    expect((await confirm()).body.code).to.equal('rotation_stale');
    const [first] = await entries('secret.rotated', id);
    expect(first?.detail).to.match(/the old secret is accepted until/);
    expect(first).not.to.have.property('unconfirmed');
    await api.owner.call('post', `/sources/${id}/secret/end-overlap`);
    await confirm();
    expect(await entries('secret.rotated', id)).to.deep.equal([first]);
  });
});
