import { expect } from 'chai';
import { useInstallation } from './support.ts';
import { useSubscriptions } from './use-subscriptions.ts';

describe('sluice key revoke with webhook subscriptions', () => {
  const used = useInstallation();
  const at = useSubscriptions(used);

  /** A key with one subscription, as the API creates it. */
  const subscribed = async () => {
    const [made] = await used.json('key create --name n8n --scopes webhooks');
    const key = await used.store.apiKeys.findApiKey(String(made?.key_id));
    if (key === undefined) throw new Error('no key');
    return { key, id: (await at.subscribe(key.key_id)).subscription_id };
  };

  it('pauses what the key has subscribed before it ends, in MongoDB and for dispatchers', async () => {
    const { key, id } = await subscribed();
    const [other] = await Promise.all([subscribed()]);
    expect((await at.publishedOf(id))?.paused).to.equal(null);
    const [revoked] = await used.json(`key revoke ${key.key_id}`);
    expect(revoked?.revoked_at).to.match(/Z$/);
    expect((await at.publishedOf(id))?.paused).to.equal('key_revoked');
    const stored = await used.store.subscriptions.findSubscription(key.account_id, id);
    expect(stored?.paused?.reason).to.equal('key_revoked');
    expect((await at.publishedOf(other.id))?.paused).to.equal(null);
  });

  it('revokes the key while Redis is away, says that messages may still leave, and pauses in a second run', async () => {
    const { key, id } = await subscribed();
    const done = await used.run(`key revoke ${key.key_id}`, { env: { REDIS_URL: 'redis://127.0.0.1:1' } });
    expect(done).to.include({ code: 75, stdout: '' });
    expect(done.stderr).to.match(
      /^sluice: The key .* is revoked, but its webhook subscriptions may still get messages: .* again to be certain\.\n$/,
    );
    expect((await used.store.apiKeys.findApiKey(key.key_id))?.revoked_at).to.be.a('number');
    await used.json(`key revoke ${key.key_id}`);
    expect((await at.publishedOf(id))?.paused).to.equal('key_revoked');
  });

  it('needs no Redis for a key without subscriptions', async () => {
    const [made] = await used.json('key create --name CRM --scopes read:leads');
    const env = { REDIS_URL: 'redis://127.0.0.1:1' };
    expect((await used.run(`key revoke ${made?.key_id}`, { env })).code).to.equal(0);
  });
});
