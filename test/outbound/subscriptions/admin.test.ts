import { subscriptionInput } from '@sluice/contract/subscription/subscription';
import { newId } from '@sluice/credentials/ids';
import { adoptByAdmin, changeSubscription } from '@sluice/outbound/subscriptions/change-subscription';
import { createSubscription } from '@sluice/outbound/subscriptions/create-subscription';
import { pauseForKey } from '@sluice/outbound/subscriptions/pause-for-key';
import { expect } from 'chai';
import { addKey, create, made, URL_1, useSubscriptions } from './support.ts';

describe('subscriptions: what an admin does', () => {
  const used = useSubscriptions();

  const createByAdmin = (accountId: string, body: object = {}) =>
    createSubscription(used.deps, {
      accountId,
      input: subscriptionInput.parse({ target_url: URL_1, events: ['lead.created'], ...body }),
      newId: newId('sub'),
    });
  const change = (accountId: string, subscriptionId: string, patch: object, keyId?: string) =>
    changeSubscription(used.deps, {
      accountId,
      subscriptionId,
      patch,
      ...(keyId !== undefined && { keyId }),
    });

  it('creates a subscription of the account, which no key sees, and returns it again for the same URL', async () => {
    const accountId = newId('acc');
    const first = await createByAdmin(accountId);
    if (!('secret' in first)) throw new Error(first.status);
    expect(first.status).to.equal('created');
    expect(first.subscription.key_id).to.equal(null);
    const again = await createByAdmin(accountId, { events: ['lead.updated'] });
    if (!('secret' in again)) throw new Error(again.status);
    expect(again.status).to.equal('existing');
    expect(again.secret).to.equal(first.secret);
    expect(again.subscription.subscription_id).to.equal(first.subscription.subscription_id);
  });

  it("an admin's create never takes over what a living key has subscribed", async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    const answer = await createByAdmin(key.account_id);
    expect(answer.status).to.equal('url_taken');
    expect(await used.store.subscriptions.listSubscriptions(key.account_id)).to.deep.equal([subscription]);
  });

  it("an admin's create takes over what a revoked key had subscribed", async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    await pauseForKey(used.deps, key.key_id, 'key_revoked');
    const answer = await createByAdmin(key.account_id);
    if (!('secret' in answer)) throw new Error(answer.status);
    expect(answer.status).to.equal('taken_over');
    expect(answer.subscription).to.include({ subscription_id: subscription.subscription_id, key_id: null });
    expect(answer.subscription).not.to.have.any.keys('paused', 'expires_at');
  });

  it('notes when a key takes a subscription over, and not when its own key creates it again', async () => {
    const key = await addKey(used);
    await made(used, key);
    expect((await made(used, key, { name: 'B' })).subscription).not.to.have.property('taken_over_at');
    const other = await addKey(used, key.account_id);
    const before = Date.now();
    const taken = await made(used, other);
    expect(taken.subscription.taken_over_at).to.be.within(before, Date.now());
    const [stored] = await used.store.subscriptions.listSubscriptions(key.account_id);
    expect(stored).to.deep.equal(taken.subscription);
  });

  for (const reason of ['key_revoked', 'key_expired'] as const)
    it(`"active": true never lifts ${reason}, and another change leaves the date of the removal`, async () => {
      const key = await addKey(used);
      const { subscription } = await made(used, key);
      const id = subscription.subscription_id;
      await pauseForKey(used.deps, key.key_id, reason);
      const [paused] = await used.store.subscriptions.listSubscriptions(key.account_id);
      for (const keyId of [undefined, key.key_id]) {
        for (const active of [true, false]) {
          expect(await change(key.account_id, id, { active }, keyId)).to.include({ status: 'unchanged' });
        }
      }
      const renamed = await change(key.account_id, id, { name: 'B' });
      if (!('subscription' in renamed)) throw new Error(renamed.status);
      expect(renamed.subscription).to.deep.include({
        paused: paused?.paused,
        expires_at: paused?.expires_at,
      });
    });

  it('lifts any other pause with "active": true, and no key lifts the pause of an admin', async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key, { active: false });
    const { account_id, subscription_id } = subscription;
    const reasonAfter = async (active: boolean, keyId?: string) => {
      await change(account_id, subscription_id, { active }, keyId);
      const [stored] = await used.store.subscriptions.listSubscriptions(account_id);
      return stored?.paused?.reason;
    };
    expect(await reasonAfter(false)).to.equal('by_admin');
    expect(await reasonAfter(true, key.key_id)).to.equal('by_admin');
    await create(used, key);
    expect(await reasonAfter(false, key.key_id)).to.equal('by_admin');
    expect(await reasonAfter(true)).to.equal(undefined);
  });

  it('an adopted subscription belongs to the account until a key takes it over', async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    await pauseForKey(used.deps, key.key_id, 'key_revoked');
    const adopted = await adoptByAdmin(used.deps, key.account_id, subscription.subscription_id);
    if (!('subscription' in adopted)) throw new Error(adopted.status);
    expect(adopted.subscription).to.include({ key_id: null });
    expect(await createByAdmin(key.account_id)).to.include({ status: 'existing' });
    const taken = await made(used, await addKey(used, key.account_id));
    expect(taken.status).to.equal('taken_over');
  });
});
