import { rotateKey } from '@sluice/accounts/keys/rotate-key';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { pauseByAdmin } from '@sluice/outbound/subscriptions/change-subscription';
import { deleteByKey } from '@sluice/outbound/subscriptions/delete-subscription';
import { handOver } from '@sluice/outbound/subscriptions/hand-over';
import { pauseForKey } from '@sluice/outbound/subscriptions/pause-for-key';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import { expect } from 'chai';
import { addKey, create, made, URL_1, useSubscriptions } from './support.ts';

describe('subscriptions: the old key of a rotation', () => {
  const used = useSubscriptions();
  const stored = async (keyId: string) => {
    const key = await used.store.apiKeys.findApiKey(keyId);
    if (key === undefined) throw new Error(`no key ${keyId}`);
    return key;
  };
  /** Rotates a key, as the command line does. Returns both as stored then. */
  const rotate = async ({ key_id: keyId, account_id: accountId }: ApiKey, overlapMs = HOUR_MS) => {
    const accounts = { findAccount: async () => ({ account_id: accountId }) as never };
    const deps = { accounts, apiKeys: used.store.apiKeys, now: used.deps.now };
    const onCreated = async (_key: unknown, next: ApiKey) => void (await handOver(used.deps, keyId, next));
    const result = await rotateKey(deps, { keyId, overlapMs, onCreated });
    if (result.status !== 'rotated') return { status: result.status, old: await stored(keyId) };
    return { status: result.status, old: await stored(keyId), next: await stored(result.apiKey.key_id) };
  };
  const rotated = async (key: ApiKey) => {
    const { old, next } = await rotate(key);
    if (next === undefined) throw new Error('the key was not rotated');
    return { old, next };
  };

  it('leaves a subscription with the new key when it creates it again, with its secret, and does not end it', async () => {
    const key = await addKey(used);
    const first = await made(used, key);
    const { old, next } = await rotated(key);
    const again = await made(used, old, { events: ['*'] });
    expect(again).to.include({ status: 'existing', secret: first.secret });
    expect(again.subscription).to.deep.include({
      ...{ subscription_id: first.subscription.subscription_id, key_id: next.key_id, events: ['*'] },
    });
    expect(again.subscription).not.to.have.any.keys('key_expires_at', 'taken_over_at');
    await pauseForKey(used.deps, key.key_id, 'key_expired');
    const [left] = await used.store.subscriptions.listSubscriptions(key.account_id);
    expect(left?.paused).to.equal(undefined);
  });

  it('gives the pause of its end away with a subscription, and keeps an earlier one of an admin', async () => {
    const key = await addKey(used);
    const [running, paused] = [await made(used, key), await made(used, key, { target_url: `${URL_1}/2` })];
    await pauseByAdmin(used.deps, key.account_id, paused.subscription.subscription_id);
    await pauseForKey(used.deps, key.key_id, 'key_expired');
    const next = await addKey(used, key.account_id);
    expect(await handOver(used.deps, key.key_id, next)).to.equal(2);
    const after = await used.store.subscriptions.listSubscriptions(key.account_id);
    const of = ({ subscription }: typeof running) =>
      after.find(({ subscription_id }) => subscription_id === subscription.subscription_id);
    for (const one of [running, paused]) {
      expect(of(one)?.key_id).to.equal(next.key_id);
      expect(of(one)?.expires_at).to.equal(undefined);
    }
    expect(of(running)?.paused).to.equal(undefined);
    expect(of(paused)?.paused?.reason).to.equal('by_admin');
    expect(of(paused)?.paused?.by_admin_before).to.equal(undefined);
  });

  it('subscribes for the new key', async () => {
    const { old, next } = await rotated(await addKey(used));
    const { subscription, status } = await made(used, old);
    expect(status).to.equal('created');
    expect(subscription.key_id).to.equal(next.key_id);
    expect(subscription.key_expires_at).to.equal(undefined);
    expect((await made(used, next)).status).to.equal('existing');
  });

  it('that is revoked meanwhile gets nothing new and nothing changed, and pauses nothing of the new key', async () => {
    const key = await addKey(used);
    await made(used, key, { name: 'Live' });
    const { old } = await rotated(key);
    const all = async () =>
      (await used.store.subscriptions.listSubscriptions(key.account_id)).map(
        ({ version: _, ...rest }) => rest,
      );
    const before = await all();
    await used.store.apiKeys.revokeApiKey(old.key_id, Date.now());
    for (const path of ['', '/2']) {
      const wanted = { target_url: URL_1 + path, events: ['*'] };
      expect((await create(used, old, wanted)).status, path).to.equal('key_revoked');
    }
    expect(await all()).to.deep.equal(before);
  });

  it('deletes and revives what the new key has', async () => {
    const key = await addKey(used);
    const { subscription_id: subscriptionId } = (await made(used, key)).subscription;
    const { old, next } = await rotated(key);
    const reach = [old.key_id, next.key_id];
    const asked = { accountId: key.account_id, subscriptionId };
    expect((await deleteByKey(used.deps, { ...asked, keyId: reach })).status).to.equal('deleted');
    const revived = await made(used, old);
    expect(revived.status).to.equal('created');
    expect(revived.subscription).to.include({ subscription_id: subscriptionId, key_id: next.key_id });
  });

  it('subscribes for itself once the new key is revoked, and can be rotated again', async () => {
    const key = await addKey(used);
    const { old, next } = await rotated(key);
    expect((await rotate(old)).status).to.equal('key_replaced');
    await used.store.apiKeys.revokeApiKey(next.key_id, Date.now());
    expect((await made(used, old)).subscription.key_id).to.equal(old.key_id);
    expect((await rotate(old)).status).to.equal('rotated');
  });

  it('hands over what it subscribes while it is being rotated', async () => {
    const key = await addKey(used);
    let next: string | undefined;
    // The create has looked at its key for the last time before it writes.
    const checkTargetUrl = async (text: string, accountId: string) => {
      next = (await rotated(key)).next.key_id;
      return used.deps.checkTargetUrl(text, accountId);
    };
    const { subscription } = await made({ ...used, deps: { ...used.deps, checkTargetUrl } }, key);
    const [left] = await used.store.subscriptions.listSubscriptions(key.account_id);
    expect(left).to.include({ subscription_id: subscription.subscription_id, key_id: next });
    expect(left).not.to.have.property('key_expires_at');
  });
});
