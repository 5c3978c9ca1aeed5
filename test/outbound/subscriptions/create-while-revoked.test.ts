import { deleteByKey } from '@sluice/outbound/subscriptions/delete-subscription';
import { sweepSubscriptions } from '@sluice/outbound/subscriptions/sweep';
import { expect } from 'chai';
import { addKey, create, made, publishedOf, URL_1, useSubscriptions } from './support.ts';

describe('subscriptions: create by a key that is being revoked', () => {
  const used = useSubscriptions({ limit: 3 });

  it('a key that is revoked meanwhile gets nothing new, and the sweep pauses what it has', async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    await used.store.apiKeys.revokeApiKey(key.key_id, Date.now());
    expect((await create(used, key, { target_url: `${URL_1}/2` })).status).to.equal('key_revoked');
    expect((await create(used, key, { events: ['*'] })).status).to.equal('key_revoked');
    await sweepSubscriptions(used.deps);
    const left = await used.store.subscriptions.listSubscriptions(key.account_id);
    expect(left.map(({ paused }) => paused?.reason)).to.deep.equal(['key_revoked']);
    const published = await publishedOf(used, subscription.subscription_id);
    expect(published).to.include({ paused: 'key_revoked' });
  });

  /** All of an account but for the version, which each write raises. */
  const storedOf = async (accountId: string) =>
    (await used.store.subscriptions.listSubscriptions(accountId)).map(
      ({ version: _, fresh_from: __, ...rest }) => rest,
    );
  const secretsOf = async (id: string) => (await publishedOf(used, id))?.secrets;

  it("a key that is revoked meanwhile leaves another key's subscription as it was", async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key, { name: 'Live', ordered: true });
    const [before, secrets] = [await storedOf(key.account_id), await secretsOf(subscription.subscription_id)];
    const other = await addKey(used, key.account_id);
    await used.store.apiKeys.revokeApiKey(other.key_id, Date.now());
    expect((await create(used, other, { events: ['*'], name: 'Mine' })).status).to.equal('key_revoked');
    expect(await storedOf(key.account_id)).to.deep.equal(before);
    expect(await publishedOf(used, subscription.subscription_id)).to.deep.include({ secrets, paused: null });
  });

  it('pauses what it has made if its key is revoked before it responds', async () => {
    const key = await addKey(used);
    let looks = 0;
    const apiKeys = {
      ...used.store.apiKeys,
      async findApiKey(keyId: string) {
        looks += 1;
        if (looks === 2) await used.store.apiKeys.revokeApiKey(keyId, Date.now());
        return used.store.apiKeys.findApiKey(keyId);
      },
    };
    const raced = { ...used, deps: { ...used.deps, apiKeys } };
    expect((await create(raced, key)).status).to.equal('key_revoked');
    const [left] = await used.store.subscriptions.listSubscriptions(key.account_id);
    expect(left?.paused?.reason).to.equal('key_revoked');
    const id = left?.subscription_id as string;
    expect(await publishedOf(used, id)).to.include({ paused: 'key_revoked' });
  });

  it('a key that is revoked meanwhile gets nothing changed, and ends no tombstone of another', async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    const other = await addKey(used, key.account_id);
    const second = await made(used, other, { target_url: `${URL_1}/2` });
    const ids = { accountId: key.account_id, keyId: other.key_id };
    await deleteByKey(used.deps, { ...ids, subscriptionId: second.subscription.subscription_id });
    await used.store.apiKeys.revokeApiKey(key.key_id, Date.now());
    for (const path of ['', '/2']) {
      const wanted = { target_url: URL_1 + path, events: ['*'] };
      expect((await create(used, key, wanted)).status, path).to.equal('key_revoked');
    }
    const left = await storedOf(key.account_id);
    expect(left.map(({ subscription_id }) => subscription_id)).to.deep.equal([
      subscription.subscription_id,
      second.subscription.subscription_id,
    ]);
    expect(left[0]?.events).to.deep.equal(['lead.created']);
    expect(left[1]?.deleted_at).to.be.a('number');
  });
});
