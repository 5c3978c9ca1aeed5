import { createKey } from '@sluice/management/create-key';
import { createSource } from '@sluice/management/create-source';
import { expect } from 'chai';
import { type Person, startApi, type TestApi } from '../support/api.ts';

describe('api: a change whose audit entry could not be written', () => {
  let api: TestApi;
  let owner: Person;
  let accountId: string;
  before(async () => {
    api = await startApi();
    accountId = await api.addAccount();
    owner = await api.addPerson(accountId, 'owner');
  });
  after(() => api?.close());

  /** Simulates a process that is killed between the change and its audit entry. */
  async function dyingBeforeItsEntry<T>(work: () => PromiseLike<T>): Promise<T> {
    const { auditLog } = api.store;
    const { insertEntries, putEntry } = auditLog;
    const die = () => Promise.reject(new Error('killed'));
    Object.assign(auditLog, { insertEntries: die, putEntry: die });
    try {
      return await work();
    } finally {
      Object.assign(auditLog, { insertEntries, putEntry });
    }
  }

  const entries = async (action: string, id: string): Promise<{ detail: string | null }[]> =>
    (await owner.read(`/audit?action=${action}`)).items.filter(
      ({ target }: { target: { id: string } }) => target.id === id,
    );
  const newKey = async () => {
    const made = await createKey(api.deps, {
      accountId,
      name: 'A key',
      scopes: ['webhooks'],
      expiresAt: null,
    });
    if (made.status !== 'created') throw new Error(made.status);
    return made.apiKey.key_id;
  };

  it('a revoked key has one entry after a retry', async () => {
    const id = await newKey();
    const revoke = () => owner.call('post', `/keys/${id}/revoke`);
    expect((await dyingBeforeItsEntry(revoke)).status).to.equal(500);
    expect((await revoke()).status).to.equal(200);
    expect((await revoke()).status).to.equal(200);
    expect(await entries('key.revoked', id)).to.have.length(1);
  });

  it('a key that is revoked concurrently has one entry', async () => {
    const id = await newKey();
    await Promise.all([1, 2, 3].map(() => owner.call('post', `/keys/${id}/revoke`)));
    expect(await entries('key.revoked', id)).to.have.length(1);
  });

  it('a rotation has one entry with its first detail after a repeated confirmation', async () => {
    const made = await createSource(api.deps, { accountId, name: 'A source' });
    if (made.status !== 'created') throw new Error(made.status);
    const id = made.source.source_id;
    const { body } = await owner.call('post', `/sources/${id}/secret/prepare-rotation`);
    const { rotation_token } = body;
    const confirm = () =>
      owner.call('post', `/sources/${id}/secret/confirm-rotation`, { rotation_token, overlap: '1h' });
    expect((await dyingBeforeItsEntry(confirm)).status).to.equal(500);
    expect((await confirm()).body.code).to.equal('rotation_stale');
    const [first] = await entries('secret.rotated', id);
    expect(first?.detail).to.match(/the old secret is accepted until/);
    await owner.call('post', `/sources/${id}/secret/end-overlap`);
    await confirm();
    expect(await entries('secret.rotated', id)).to.deep.equal([first]);
  });
});
