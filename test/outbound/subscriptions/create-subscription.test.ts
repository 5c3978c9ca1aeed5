import { SUBSCRIPTION_MAX, TOMBSTONE_MS } from '@sluice/contract/subscription/subscription-limits';
import { changeSubscription, pauseByAdmin } from '@sluice/outbound/subscriptions/change-subscription';
import { deleteByKey } from '@sluice/outbound/subscriptions/delete-subscription';
import { pauseForKey } from '@sluice/outbound/subscriptions/pause-for-key';
import { markFailing } from '@sluice/outbound/subscriptions/pause-for-receiver';
import { expect } from 'chai';
import { addKey, create, made, publishedOf, URL_1, useSubscriptions } from './support.ts';

describe('subscriptions: create', () => {
  const used = useSubscriptions({ limit: 3 });

  it('stores a subscription, publishes it, and answers a secret of 48 bytes that needs no padding', async () => {
    const key = await addKey(used);
    const { status, subscription, secret } = await made(used, key, { name: 'Leads' });
    expect(status).to.equal('created');
    expect(subscription).to.include({ key_id: key.key_id, target_url: URL_1, name: 'Leads', version: 1 });
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{64}$/);
    const published = await publishedOf(used, subscription.subscription_id);
    expect(published).to.include({ target_url: URL_1, paused: null, kind: 'webhook' });
    expect(JSON.stringify(published)).not.to.contain(secret);
  });

  it('answers the same subscription and secret to the same key and URL, however it is written', async () => {
    const key = await addKey(used);
    const first = await made(used, key);
    const again = await made(used, key, {
      target_url: 'HTTPS://Hooks.Example.com:443/a/../1',
      events: ['*'],
    });
    expect(again).to.include({ status: 'existing', secret: first.secret });
    expect(again.subscription).to.deep.include({
      subscription_id: first.subscription.subscription_id,
      events: ['*'],
    });
  });

  it('fifty concurrent creates of one URL make one subscription', async () => {
    const key = await addKey(used);
    const all = await Promise.all(Array.from({ length: 50 }, () => made(used, key)));
    expect(new Set(all.map(({ subscription }) => subscription.subscription_id)).size).to.equal(1);
    expect(new Set(all.map(({ secret }) => secret)).size).to.equal(1);
    expect(all.filter(({ status }) => status === 'created')).to.have.length(1);
    expect(await used.store.subscriptions.listSubscriptions(key.account_id)).to.have.length(1);
  });

  it('an equal create writes nothing', async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    expect((await made(used, key)).subscription).to.deep.equal(subscription);
  });

  it('takes events and filter over from the newest create, and keeps the name', async () => {
    const key = await addKey(used);
    await made(used, key, { name: 'Won', filter: { stage: 'stg_won' }, ordered: true });
    const { subscription } = await made(used, key, { events: ['lead.updated'] });
    expect(subscription).to.deep.include({
      name: 'Won',
      filter: {},
      ordered: true,
      events: ['lead.updated'],
    });
  });

  it('another key of the account takes the subscription over with a new secret', async () => {
    const key = await addKey(used);
    const first = await made(used, key);
    const other = await addKey(used, key.account_id);
    const taken = await made(used, other);
    expect(taken.status).to.equal('taken_over');
    expect(taken.subscription).to.include({
      subscription_id: first.subscription.subscription_id,
      key_id: other.key_id,
    });
    expect(taken.secret).not.to.equal(first.secret);
    expect(taken.subscription.secrets).to.have.length(1);
    const found = await deleteByKey(used.deps, {
      ...{ accountId: key.account_id, keyId: key.key_id },
      subscriptionId: first.subscription.subscription_id,
    });
    expect(found.status).to.equal('not_found');
  });

  it('makes a failing and a paused subscription active again, but never lifts the pause of an admin', async () => {
    const key = await addKey(used);
    const { subscription_id: subscriptionId } = (await made(used, key)).subscription;
    const of = { accountId: key.account_id, subscriptionId };
    await markFailing(used.deps, { ...of, detail: 'It timed out.' });
    expect((await made(used, key)).subscription.paused).to.equal(undefined);
    await changeSubscription(used.deps, { ...of, keyId: key.key_id, patch: { active: false } });
    expect((await made(used, key)).subscription.paused).to.equal(undefined);
    await pauseByAdmin(used.deps, key.account_id, subscriptionId);
    expect((await made(used, key, { events: ['*'] })).subscription.paused?.reason).to.equal('by_admin');
    const other = await addKey(used, key.account_id);
    expect((await made(used, other)).subscription.paused?.reason).to.equal('by_admin');
  });

  for (const reason of ['key_revoked', 'key_expired'] as const)
    it(`leaves the pause of an admin where another key takes over after ${reason}`, async () => {
      const key = await addKey(used);
      const { subscription_id: subscriptionId } = (await made(used, key)).subscription;
      await pauseByAdmin(used.deps, key.account_id, subscriptionId);
      await pauseForKey(used.deps, key.key_id, reason);
      await pauseForKey(used.deps, key.key_id, 'key_revoked');
      const taken = await made(used, await addKey(used, key.account_id));
      expect(taken.status).to.equal('taken_over');
      expect(taken.subscription.paused).to.have.all.keys('reason', 'at');
      expect(taken.subscription.paused?.reason).to.equal('by_admin');
      expect(await publishedOf(used, subscriptionId)).to.include({ paused: 'by_admin' });
    });

  it('revives what its key deleted within 10 minutes: the same id, a new secret, the new filter', async () => {
    const key = await addKey(used);
    const first = await made(used, key, { filter: { stage: 'stg_won' } });
    const { subscription_id: subscriptionId } = first.subscription;
    await deleteByKey(used.deps, { accountId: key.account_id, keyId: key.key_id, subscriptionId });
    expect(await publishedOf(used, subscriptionId)).to.include({ paused: 'deleted' });
    used.ahead = TOMBSTONE_MS - 1000;
    const revived = await made(used, key);
    expect(revived.status).to.equal('created');
    expect(revived.subscription).to.deep.include({ subscription_id: subscriptionId, filter: {} });
    expect(revived.subscription).not.to.have.any.keys('deleted_at', 'expires_at');
    expect(revived.secret).not.to.equal(first.secret);
    expect(await publishedOf(used, subscriptionId)).to.include({ paused: null });
  });

  it('does not revive after 10 minutes, nor for another key', async () => {
    const key = await addKey(used);
    const other = await addKey(used, key.account_id);
    const first = await made(used, key);
    const ids = new Set([first.subscription.subscription_id]);
    const remove = (subscriptionId: string) =>
      deleteByKey(used.deps, { accountId: key.account_id, keyId: key.key_id, subscriptionId });
    await remove(first.subscription.subscription_id);
    used.ahead = TOMBSTONE_MS + 1000;
    const second = await made(used, key);
    expect(await publishedOf(used, first.subscription.subscription_id)).to.equal(undefined);
    await remove(second.subscription.subscription_id);
    const third = await made(used, other);
    for (const { status, subscription } of [second, third]) {
      expect(status).to.equal('created');
      expect(ids).not.to.include(subscription.subscription_id);
      ids.add(subscription.subscription_id);
    }
  });

  it('refuses to make a test permanent beyond the limit, by a create or by a change', async () => {
    const key = await addKey(used);
    for (const name of ['a', 'b', 'c']) await made(used, key, { target_url: `${URL_1}/${name}` });
    const tested = await made(used, key, { client: { mode: 'test' } });
    const full = { status: 'limit_reached', limit: 3 };
    expect(await create(used, key)).to.deep.equal(full);
    const of = { accountId: key.account_id, subscriptionId: tested.subscription.subscription_id };
    const patch = { client: { mode: 'live' } } as const;
    expect(await changeSubscription(used.deps, { ...of, keyId: key.key_id, patch })).to.deep.equal(full);
    const stored = await used.store.subscriptions.findSubscription(of.accountId, of.subscriptionId);
    expect(stored).to.deep.equal(tested.subscription);
  });

  it('refuses one more than the limit, also of concurrent creates, and counts no tombstones', async () => {
    const key = await addKey(used);
    const urls = Array.from({ length: 8 }, (_, index) => `${URL_1}/${index}`);
    const all = await Promise.all(urls.map((target_url) => create(used, key, { target_url })));
    expect(all.filter(({ status }) => status === 'created').length).to.be.at.most(3);
    for (const target_url of urls) await create(used, key, { target_url });
    const stored = await used.store.subscriptions.listSubscriptions(key.account_id);
    expect(stored).to.have.length(3);
    expect(await create(used, key)).to.deep.equal({ status: 'limit_reached', limit: 3 });
    const { subscription_id: subscriptionId } = stored[0] as (typeof stored)[number];
    await deleteByKey(used.deps, { accountId: key.account_id, keyId: key.key_id, subscriptionId });
    expect((await create(used, key)).status).to.equal('created');
  });

  it('an editor test is ephemeral, counts towards no limit, and the oldest one ends for a new one', async () => {
    const key = await addKey(used);
    const test = (index: number) => ({ target_url: `https://n8n.example.com/webhook-test/${index}` });
    for (let index = 0; index < SUBSCRIPTION_MAX.ephemeral + 1; index++) {
      const { subscription } = await made(used, key, test(index));
      expect(subscription.ephemeral).to.equal(true);
      expect(subscription.expires_at).to.be.closeTo(Date.now() + 600_000, 10_000);
    }
    const stored = await used.store.subscriptions.listSubscriptions(key.account_id);
    expect(stored).to.have.length(SUBSCRIPTION_MAX.ephemeral);
    expect(stored.map(({ target_url }) => target_url)).not.to.include(test(0).target_url);
    expect((await made(used, key, { client: { mode: 'test' } })).subscription.ephemeral).to.equal(true);
    expect((await made(used, key, { target_url: `${URL_1}/live` })).subscription.ephemeral).to.equal(false);
  });

  it('waits until every worker knows, before it answers the first subscription to events of an account', async () => {
    const key = await addKey(used);
    await made(used, key);
    expect(Math.max(...used.slept)).to.be.below(1001);
    await made(used, key, { target_url: `${URL_1}/2`, events: ['event.created'] });
    expect(used.slept.at(-1)).to.equal(1200);
    await made(used, key, { target_url: `${URL_1}/3`, events: ['*'] });
    expect(used.slept.at(-1)).to.be.below(1001);
  });
});
