import { newId } from '@sluice/credentials/ids';
import { createKeyring, type Keyring } from '@sluice/credentials/seal';
import { openSubscriptionSecret } from '@sluice/credentials/subscription-secret';
import { resealSubscriptions } from '@sluice/outbound/subscriptions/reseal-subscriptions';
import { rotateSubscriptionSecret } from '@sluice/outbound/subscriptions/rotate-subscription-secret';
import { newSecret } from '@sluice/outbound/subscriptions/secrets';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { expect } from 'chai';
import { addKey, made, publishedOf, useSubscriptions } from './support.ts';

const OLD_KEY = Buffer.alloc(32, 7);
const NEW_KEY = Buffer.alloc(32, 8);
const newAlone = createKeyring({ current: NEW_KEY });
const newWithOld = createKeyring({ current: NEW_KEY, older: [OLD_KEY] });

describe('resealing the secrets of webhook subscriptions', () => {
  const used = useSubscriptions({ limit: 300 });
  const deps = (keyring: Keyring) => ({ ...used.deps, keyring });
  const stored = async ({ account_id, subscription_id }: Subscription) =>
    (await used.store.subscriptions.findSubscription(account_id, subscription_id)) as Subscription;
  const secretsOf = (keyring: Keyring, { subscription_id, secrets }: Subscription) =>
    secrets.map(({ sealed }) => {
      const opened = openSubscriptionSecret(keyring, subscription_id, sealed);
      return opened.status === 'opened' ? opened.secret : opened.status;
    });
  const published = async ({ subscription_id }: Subscription) =>
    JSON.stringify(await publishedOf(used, subscription_id));

  it('keeps every secret, rotated ones too, and needs the old key no longer, in MongoDB or as published', async () => {
    const { subscription } = await made(used, await addKey(used));
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    await rotateSubscriptionSecret(used.deps, { accountId, subscriptionId, overlap: '24h' });
    const before = await stored(subscription);
    const secrets = secretsOf(used.deps.keyring, before);
    expect(secrets).to.have.length(2);

    const result = await resealSubscriptions(deps(newWithOld));
    expect(result.resealed.map(({ subscription_id }) => subscription_id)).to.include(subscriptionId);
    expect(result.unreadable).to.deep.equal([]);
    const after = await stored(subscription);
    expect(secretsOf(newAlone, after)).to.deep.equal(secrets);
    expect(after.secrets[1]?.expires_at).to.equal(before.secrets[1]?.expires_at);
    expect(after.updated_at).to.equal(before.updated_at);
    const record = await published(subscription);
    for (const { sealed } of after.secrets) expect(record).to.contain(sealed);
    for (const { sealed } of before.secrets) expect(record).to.not.contain(sealed);
  });

  it('changes nothing when repeated', async () => {
    const { subscription } = await made(used, await addKey(used));
    await resealSubscriptions(deps(newWithOld));
    const before = await stored(subscription);
    const again = await resealSubscriptions(deps(newWithOld));
    expect(again).to.deep.include({ resealed: [], unreadable: [] });
    expect(await stored(subscription)).to.deep.equal(before);
  });

  it('reads all pages of many accounts', async () => {
    const { subscription: first } = await made(used, await addKey(used));
    for (let n = 1; n < 205; n++) {
      const subscription_id = newId('sub');
      const secrets = [newSecret(used.deps.keyring, subscription_id, Date.now())];
      const account_id = n % 2 === 0 ? first.account_id : newId('acc');
      const one = { ...first, subscription_id, account_id, url_key: `${n}`, secrets };
      expect(await used.store.subscriptions.insertSubscription(one)).to.equal('inserted');
    }
    const result = await resealSubscriptions(deps(newWithOld));
    expect(result.resealed).to.have.length(205);
    const own = await used.store.subscriptions.listSubscriptions(first.account_id);
    expect(own).to.have.length(103);
    for (const one of own) expect(secretsOf(newAlone, one)[0]).to.match(/^whsec_/);
  });

  it('names a subscription whose current secret no key opens, and changes nothing of it', async () => {
    const { subscription } = await made(used, await addKey(used));
    const before = await stored(subscription);
    const { unreadable, resealed } = await resealSubscriptions(deps(newAlone));
    expect(unreadable.map(({ subscription_id, opened }) => [subscription_id, opened.status])).to.deep.equal([
      [subscription.subscription_id, 'unknown_key'],
    ]);
    expect(resealed).to.deep.equal([]);
    expect(await stored(subscription)).to.deep.equal(before);
    await resealSubscriptions(deps(newWithOld));
  });

  it('drops an older secret that no key opens, because it cannot sign', async () => {
    const { subscription } = await made(used, await addKey(used));
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    const other = createKeyring({ current: Buffer.alloc(32, 9) });
    await rotateSubscriptionSecret(deps(other), { accountId, subscriptionId });
    await rotateSubscriptionSecret(used.deps, { accountId, subscriptionId });
    expect((await stored(subscription)).secrets).to.have.length(3);
    await resealSubscriptions(deps(newWithOld));
    const left = secretsOf(newAlone, await stored(subscription));
    expect(left).to.have.length(2);
    expect(left.every((secret) => secret.startsWith('whsec_'))).to.equal(true);
  });
});
