import { newId } from '@sluice/credentials/ids';
import { changeSubscription } from '@sluice/outbound/subscriptions/change-subscription';
import { createStream } from '@sluice/outbound/subscriptions/create-stream';
import { expect } from 'chai';
import { addKey, addSource, create, made, useSubscriptions } from './support.ts';

const DELETED = {
  ...{ active: false, sealed_secret: '', previous_secret: null },
  deleted: { at: 1, events: 'keep' },
} as const;

describe('subscriptions: a filter by something that the account does not have', () => {
  const used = useSubscriptions();
  const refused = (field: string) => ({ status: 'filter_unknown', field });

  /** A key, and filters that name what another account has, what was deleted, and what is of another kind. */
  async function strange() {
    const key = await addKey(used);
    const own = key.account_id;
    const [source, channel] = [await addSource(used, own), await addSource(used, own, { kind: 'channel' })];
    const deleted = await addSource(used, own);
    await used.store.sources.changeSource(deleted, DELETED);
    const others = await addSource(used, newId('acc'));
    return {
      key,
      known: [{ source_id: source }, { channel_id: channel }, { stage: 'stg_won' }],
      unknown: [
        ...['src_none', channel, deleted, others].map((id) => ['source_id', id] as const),
        ...['chn_none', source].map((id) => ['channel_id', id] as const),
        ['stage', 'Won'] as const,
      ],
    };
  }

  it('is rejected at a create, a change and a stream, and nothing is stored', async () => {
    const { key, unknown } = await strange();
    const { subscription } = await made(used, key);
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    for (const [field, id] of unknown) {
      const filter = { [field]: id };
      const target_url = 'https://hooks.example.com/filtered';
      expect(await create(used, key, { filter, target_url }), id).to.deep.equal(refused(field));
      const change = { accountId, subscriptionId, keyId: key.key_id, patch: { filter } };
      expect(await changeSubscription(used.deps, change), id).to.deep.equal(refused(field));
      const stream = { accountId, key, input: { filter }, newId: newId('sub') };
      expect(await createStream(used.deps, stream), id).to.deep.equal(refused(field));
    }
    expect(await used.store.subscriptions.listSubscriptions(accountId)).to.deep.equal([subscription]);
  });

  it('is accepted once the account has it, and with values that remove a filter', async () => {
    const { key, known } = await strange();
    for (const filter of [...known, { source_id: null, channel_id: '' }, null])
      expect(await create(used, key, { filter }), JSON.stringify(filter)).to.have.property('secret');
  });

  it('stays as it was if the source is deleted later: repeats and other changes are accepted', async () => {
    const key = await addKey(used);
    const source_id = await addSource(used, key.account_id);
    const filter = { source_id };
    const { subscription } = await made(used, key, { filter });
    await used.store.sources.changeSource(source_id, DELETED);
    expect((await create(used, key, { filter, events: ['*'] })).status).to.equal('existing');
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    const patch = { filter: { ...filter, stage: 'stg_won' } };
    const changed = await changeSubscription(used.deps, { accountId, subscriptionId, patch });
    expect(changed).to.have.nested.property('subscription.filter').that.deep.equals(patch.filter);
  });
});
