import { changeSubscription } from '@sluice/outbound/subscriptions/change-subscription';
import { deleteByKey } from '@sluice/outbound/subscriptions/delete-subscription';
import { expect } from 'chai';
import { addKey, create, made, URL_1, useSubscriptions } from './support.ts';

const CHANGED = { status: 'changed_meanwhile' };

describe('subscriptions: create with If-Match', () => {
  const used = useSubscriptions();

  it('returns the secret of the version that was read, and may change it', async () => {
    const key = await addKey(used);
    const { subscription, secret } = await made(used, key);
    const { version } = subscription;
    expect(await create(used, key, {}, [version])).to.include({ status: 'existing', secret, changed: false });
    const changed = await create(used, key, { events: ['*'] }, [version]);
    expect(changed).to.include({ status: 'existing', secret, changed: true });
    expect(await create(used, key, {}, [version])).to.deep.equal(CHANGED);
  });

  it('does not revive what was deleted meanwhile, nor create', async () => {
    const key = await addKey(used);
    const { account_id: accountId, key_id: keyId } = key;
    expect(await create(used, key, {}, [1])).to.deep.equal(CHANGED);
    const { subscription } = await made(used, key);
    const { subscription_id: subscriptionId, version } = subscription;
    await deleteByKey(used.deps, { accountId, keyId, subscriptionId });
    expect(await create(used, key, {}, [version, version + 1])).to.deep.equal(CHANGED);
    expect(await used.store.subscriptions.findSubscription(accountId, subscriptionId)).to.have.property(
      'deleted_at',
    );
  });

  it('lifts no pause and restores no events that were changed meanwhile', async () => {
    for (const patch of [{ active: false }, { events: ['lead.updated' as const] }]) {
      const key = await addKey(used);
      const { subscription } = await made(used, key);
      const { account_id: accountId, subscription_id: subscriptionId, version } = subscription;
      const changed = await changeSubscription(used.deps, { accountId, subscriptionId, patch });
      if (!('subscription' in changed)) throw new Error(changed.status);
      expect(await create(used, key, {}, [version])).to.deep.equal(CHANGED);
      expect(await used.store.subscriptions.findSubscription(accountId, subscriptionId)).to.deep.equal(
        changed.subscription,
      );
    }
  });

  it('loses to a deletion between its read and its write', async () => {
    const key = await addKey(used);
    const { account_id: accountId, key_id: keyId } = key;
    const { subscription } = await made(used, key);
    const { subscription_id: subscriptionId, version } = subscription;
    const { subscriptions } = used.store;
    let isDeleted = false;
    const deleting = {
      ...used.deps,
      subscriptions: Object.assign(Object.create(subscriptions), {
        async replaceSubscription(next: typeof subscription) {
          if (!isDeleted) await deleteByKey(used.deps, { accountId, keyId, subscriptionId });
          isDeleted = true;
          return subscriptions.replaceSubscription(next);
        },
      }),
    };
    const late = await create({ ...used, deps: deleting }, key, { events: ['*'] }, [version]);
    expect(late).to.deep.equal(CHANGED);
    expect(await subscriptions.findSubscription(accountId, subscriptionId)).to.have.property('deleted_at');
  });

  it('takes nothing over from another key, although its version is the same', async () => {
    const key = await addKey(used);
    const other = await addKey(used, key.account_id);
    const { subscription } = await made(used, other);
    expect(await create(used, key, {}, [subscription.version])).to.deep.equal(CHANGED);
    expect((await used.store.subscriptions.listSubscriptions(key.account_id))[0]).to.include({
      ...{ key_id: other.key_id, target_url: URL_1 },
    });
  });
});
