import { DAY_MS, MINUTE_MS } from '@sluice/contract/time/durations';
import { changeSubscription, pauseByAdmin } from '@sluice/outbound/subscriptions/change-subscription';
import { deleteByAdmin, deleteByKey, deleteByUrl } from '@sluice/outbound/subscriptions/delete-subscription';
import { pauseForKey } from '@sluice/outbound/subscriptions/pause-for-key';
import { markFailing, markHealed, removeGone } from '@sluice/outbound/subscriptions/pause-for-receiver';
import { rotateSubscriptionSecret } from '@sluice/outbound/subscriptions/rotate-subscription-secret';
import { sweepSubscriptions } from '@sluice/outbound/subscriptions/sweep';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { appendLeads, publishAll } from './support/messages.ts';
import { addKey, addSource, made, publishedOf, URL_1, useSubscriptions } from './support.ts';

const TEST_URL = 'https://n8n.example.com/webhook-test/1';

describe('subscriptions: change, rotate, delete and sweep', () => {
  const used = useSubscriptions();

  async function subscribed(body: object = {}, expiresAt: number | null = null) {
    const key = await addKey(used, undefined, expiresAt);
    const { subscription, secret } = await made(used, key, body);
    const { account_id: accountId, subscription_id: id } = subscription;
    const own = { accountId, subscriptionId: id, keyId: key.key_id };
    return { key, subscription, secret, accountId, id, own };
  }
  const stored = (accountId: string, id: string) => used.store.subscriptions.findSubscription(accountId, id);
  const claimed = async (id: string) => {
    const turns = await used.turns.claim({ shard: 0, limit: 100, perTurn: 10 });
    return turns.find(({ subscription }) => subscription.subscription_id === id);
  };

  describe('a change', () => {
    it('is a merge patch: absent fields stay, null clears, and no change writes nothing', async () => {
      const { own, subscription } = await subscribed({ name: 'A', filter: { stage: 'stg_new' } });
      const change = (patch: object) => changeSubscription(used.deps, { ...own, patch });
      expect(await change({ name: 'A' })).to.deep.equal({ status: 'unchanged', subscription });
      const source_id = await addSource(used, own.accountId);
      const changed = await change({ filter: { stage: null, source_id }, ordered: true });
      if (!('subscription' in changed)) throw new Error(changed.status);
      expect(changed.subscription).to.deep.include({ name: 'A', filter: { source_id }, ordered: true });
      expect(changed.subscription.version).to.equal(subscription.version + 1);
      expect(await publishedOf(used, own.subscriptionId)).to.include({ ordered: true, version: 2 });
    });

    it('of the URL waits until no attempt to the old one can begin', async () => {
      const { own, accountId, id, subscription } = await subscribed();
      await publishAll(used, accountId);
      await appendLeads(used, subscription, 1);
      const turn = await claimed(id);
      if (turn === undefined) throw new Error('nothing is due');
      used.slept = [];
      const target_url = 'https://hooks.example.com/2';
      expect((await changeSubscription(used.deps, { ...own, patch: { target_url } })).status).to.equal(
        'changed',
      );
      expect(used.slept[0]).to.be.within(1, 1000);
      expect(await used.turns.renew(turn)).to.deep.equal({ status: 'stopped', why: 'changed' });
      expect(await publishedOf(used, id)).to.include({ target_url });
    });
  });

  describe('a rotation', () => {
    const secretsOf = async (id: string) =>
      (await publishedOf(used, id))?.secrets as { expires_at: number | null }[];

    it('signs with at most three secrets, and with none beyond its overlap', async () => {
      const { own, id, secret } = await subscribed();
      const secrets = new Set([secret]);
      for (let rotations = 0; rotations < 4; rotations++) {
        const rotated = await rotateSubscriptionSecret(used.deps, { ...own, overlap: '24h' });
        if (rotated.status !== 'rotated') throw new Error(rotated.status);
        secrets.add(rotated.secret);
      }
      expect(secrets.size).to.equal(5);
      expect(await secretsOf(id)).to.have.length(3);
      used.ahead = DAY_MS + MINUTE_MS;
      await rotateSubscriptionSecret(used.deps, { ...own, overlap: '1h' });
      const [current, previous, ...others] = await secretsOf(id);
      expect(current?.expires_at).to.equal(null);
      const until = Date.now() + used.ahead + 60 * MINUTE_MS;
      expect(previous?.expires_at).to.be.within(until - MINUTE_MS, until);
      expect(others).to.deep.equal([]);
    });

    it('without overlap ends all older secrets at once', async () => {
      const { own, id } = await subscribed();
      await rotateSubscriptionSecret(used.deps, { ...own, overlap: '24h' });
      await rotateSubscriptionSecret(used.deps, { ...own, overlap: 'none' });
      expect(await secretsOf(id)).to.have.length(1);
    });
  });

  describe('a change whose process dies before it is published', () => {
    it('is published by the sweep once its fence has ended', async () => {
      const { accountId, id } = await subscribed();
      const publish = () => Promise.reject(new Error('died'));
      const dying = { ...used.deps, subscriptionDirectory: { ...used.directory, publish } };
      const result = await pauseByAdmin(dying, accountId, id).catch(({ message }: Error) => message);
      expect(result).to.equal('died');
      await sweepSubscriptions(used.deps);
      expect(await publishedOf(used, id)).to.include({ paused: null });
      const { fenced, subscriptions } = createShards(used.namespace, 1).first;
      const list = subscriptions(accountId);
      for (const name of await used.redis.hkeys(list))
        if (name.startsWith('fence')) await used.redis.hset(list, name, 1);
      await used.redis.zadd(fenced, 1, accountId);
      await sweepSubscriptions(used.deps);
      expect(await publishedOf(used, id)).to.include({ paused: 'by_admin' });
      expect(await used.redis.zscore(fenced, accountId)).to.equal(null);
    });
  });

  describe('a delete', () => {
    it('keeps a tombstone that collects and sends nothing, until its key revives it within 10 minutes', async () => {
      const { key, own, accountId, id, subscription } = await subscribed();
      expect((await deleteByKey(used.deps, own)).status).to.equal('deleted');
      await publishAll(used, accountId);
      const [message] = await appendLeads(used, subscription, 1);
      expect(await claimed(id)).to.equal(undefined);
      used.ahead = 9 * MINUTE_MS;
      await sweepSubscriptions(used.deps);
      const revived = await made(used, key);
      expect(revived.subscription.subscription_id).to.equal(id);
      const turn = await claimed(id);
      expect(turn?.entries.map(({ messageId }) => messageId)).to.deep.equal([message]);
    });

    it('is final after 10 minutes: the sweep removes the tombstone and all that waits', async () => {
      const { own, accountId, id, subscription } = await subscribed();
      await deleteByUrl(used.deps, { ...own, url: URL_1 });
      await publishAll(used, accountId);
      await appendLeads(used, subscription, 1);
      used.ahead = 11 * MINUTE_MS;
      await sweepSubscriptions(used.deps);
      expect(await stored(accountId, id)).to.equal(undefined);
      expect(await used.outbox.status(accountId, [id])).to.deep.equal([]);
    });

    it('of an admin is final at once, and one of a subscription that is gone changes nothing', async () => {
      const { key, own, accountId, id } = await subscribed();
      expect((await deleteByAdmin(used.deps, accountId, id)).status).to.equal('deleted');
      expect(await publishedOf(used, id)).to.equal(undefined);
      expect(await deleteByKey(used.deps, own)).to.deep.equal({ status: 'not_found' });
      expect((await made(used, key)).subscription.subscription_id).not.to.equal(id);
    });
  });

  describe('a test of an editor', () => {
    it('ends after 10 minutes', async () => {
      const { accountId, id } = await subscribed({ target_url: TEST_URL });
      used.ahead = 9 * MINUTE_MS;
      await sweepSubscriptions(used.deps);
      expect(await stored(accountId, id)).to.not.equal(undefined);
      used.ahead = 11 * MINUTE_MS;
      await sweepSubscriptions(used.deps);
      expect(await stored(accountId, id)).to.equal(undefined);
      expect(await publishedOf(used, id)).to.equal(undefined);
    });

    it('leaves no tombstone when it is deleted', async () => {
      const { own, accountId, id } = await subscribed({ client: { mode: 'test' } });
      await deleteByKey(used.deps, own);
      expect(await stored(accountId, id)).to.equal(undefined);
    });
  });

  describe('a receiver', () => {
    it('that is gone removes its subscription, unless the URL was changed meanwhile', async () => {
      const { accountId, id } = await subscribed();
      const receiver = { accountId, subscriptionId: id };
      const other = { ...receiver, targetUrl: 'https://hooks.example.com/old' };
      expect(await removeGone(used.deps, other)).to.equal(undefined);
      expect(await removeGone(used.deps, { ...receiver, targetUrl: URL_1 })).to.include({
        subscription_id: id,
      });
      expect(await stored(accountId, id)).to.equal(undefined);
    });

    it('that fails pauses its subscription, which goes on collecting, and resumes it when it accepts again', async () => {
      const { accountId, id } = await subscribed();
      const receiver = { accountId, subscriptionId: id };
      expect(await markFailing(used.deps, { ...receiver, detail: 'Down.' })).to.equal(true);
      expect(await markFailing(used.deps, { ...receiver, detail: 'Down.' })).to.equal(false);
      expect(await publishedOf(used, id)).to.include({ paused: 'failing' });
      expect(await markHealed(used.deps, receiver)).to.equal(true);
      expect(await markHealed(used.deps, receiver)).to.equal(false);
      expect(await publishedOf(used, id)).to.include({ paused: null });
    });
  });

  describe('the end of a key', () => {
    it('by revocation pauses its subscriptions, ends its tombstones, and removes all after 30 days', async () => {
      const { key, own, accountId, id } = await subscribed();
      const deleted = (await made(used, key, { target_url: 'https://hooks.example.com/2' })).subscription;
      await deleteByKey(used.deps, { ...own, subscriptionId: deleted.subscription_id });
      await pauseForKey(used.deps, key.key_id, 'key_revoked');
      expect(await publishedOf(used, id)).to.include({ paused: 'key_revoked' });
      expect(await stored(accountId, deleted.subscription_id)).to.equal(undefined);
      used.ahead = 29 * DAY_MS;
      await sweepSubscriptions(used.deps);
      expect((await stored(accountId, id))?.paused?.reason).to.equal('key_revoked');
      used.ahead = 31 * DAY_MS;
      await sweepSubscriptions(used.deps);
      expect(await stored(accountId, id)).to.equal(undefined);
    });

    it('by a revocation whose pauses could not be published pauses its subscriptions at the next sweep, days later too', async () => {
      const { key, accountId, id } = await subscribed();
      await used.store.apiKeys.revokeApiKey(key.key_id, Date.now());
      used.ahead = 2 * DAY_MS;
      await sweepSubscriptions(used.deps);
      expect((await stored(accountId, id))?.paused?.reason).to.equal('key_revoked');
      expect(await publishedOf(used, id)).to.include({ paused: 'key_revoked' });
    });

    it('by expiry pauses its subscriptions at the next sweep', async () => {
      const { accountId, id } = await subscribed({}, Date.now() + MINUTE_MS);
      await sweepSubscriptions(used.deps);
      expect((await stored(accountId, id))?.paused).to.equal(undefined);
      used.ahead = 2 * MINUTE_MS;
      await sweepSubscriptions(used.deps);
      expect((await stored(accountId, id))?.paused?.reason).to.equal('key_expired');
      expect(await publishedOf(used, id)).to.include({ paused: 'key_expired' });
    });
  });
});
