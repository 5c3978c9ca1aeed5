import { deleteByKey } from '@sluice/outbound/subscriptions/delete-subscription';
import { pauseForKey } from '@sluice/outbound/subscriptions/pause-for-key';
import { expect } from 'chai';
import { addKey, create, made, publishedOf, URL_1, useSubscriptions } from './support.ts';

describe('subscriptions: create by a key that is being revoked', () => {
  const used = useSubscriptions({ limit: 3 });

  it('a key that is revoked meanwhile gets nothing new, and what it has does not send', async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    await used.store.apiKeys.revokeApiKey(key.key_id, Date.now());
    expect((await create(used, key, { target_url: `${URL_1}/2` })).status).to.equal('key_revoked');
    expect((await create(used, key, { events: ['*'] })).status).to.equal('key_revoked');
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

  it("leaves another key's subscription as it was also if the revocation has paused it in between", async () => {
    const key = await addKey(used);
    await made(used, key, { name: 'Live' });
    const before = await storedOf(key.account_id);
    const other = await addKey(used, key.account_id);
    await used.store.apiKeys.revokeApiKey(other.key_id, Date.now());
    const apiKeys = {
      ...used.store.apiKeys,
      findApiKey: async (keyId: string) => {
        await pauseForKey(used.deps, keyId, 'key_revoked');
        return used.store.apiKeys.findApiKey(keyId);
      },
    };
    const raced = { ...used, deps: { ...used.deps, apiKeys } };
    expect((await create(raced, other, { events: ['*'] })).status).to.equal('key_revoked');
    expect(await storedOf(key.account_id)).to.deep.equal(before);
  });

  it('a key that is revoked meanwhile gets nothing changed or revived, and ends no tombstone of another', async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    const other = await addKey(used, key.account_id);
    const second = await made(used, other, { target_url: `${URL_1}/2` });
    const ids = { accountId: key.account_id, keyId: other.key_id };
    await deleteByKey(used.deps, { ...ids, subscriptionId: second.subscription.subscription_id });
    const third = await made(used, key, { target_url: `${URL_1}/3` });
    await deleteByKey(used.deps, {
      ...{ accountId: key.account_id, keyId: key.key_id },
      subscriptionId: third.subscription.subscription_id,
    });
    await used.store.apiKeys.revokeApiKey(key.key_id, Date.now());
    for (const path of ['', '/2', '/3']) {
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
