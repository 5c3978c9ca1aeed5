import { changeSubscription } from '@sluice/outbound/subscriptions/change-subscription';
import { deleteByAdmin } from '@sluice/outbound/subscriptions/delete-subscription';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { pauseForKey, stopForRevokedKey } from '@sluice/outbound/subscriptions/pause-for-key';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { expect } from 'chai';
import { appendLeads, publishAll } from './support/messages.ts';
import { addKey, made, publishedOf, useSubscriptions } from './support.ts';

type Change = (deps: SubscriptionDeps, subscription: Subscription) => Promise<unknown>;

const CHANGES: readonly (readonly [what: string, why: string, change: Change])[] = [
  [
    'pause',
    'by_admin',
    (deps, { account_id: accountId, subscription_id: subscriptionId }) =>
      changeSubscription(deps, { accountId, subscriptionId, patch: { active: false } }),
  ],
  ['revocation', 'key_revoked', (deps, { key_id }) => pauseForKey(deps, String(key_id), 'key_revoked')],
];

describe('subscriptions: the repeat of a change that was stored, but not published', () => {
  const used = useSubscriptions();

  /** A subscription with a turn that has a lease now. */
  async function leased(body: object = {}) {
    const key = await addKey(used);
    const { subscription } = await made(used, key, body);
    const { account_id, subscription_id } = subscription;
    await publishAll(used, account_id);
    await appendLeads(used, subscription, 1);
    const turns = await used.turns.claim({ shard: 0, limit: 100, perTurn: 10 });
    const turn = turns.find((one) => one.subscription.subscription_id === subscription_id);
    if (turn === undefined) throw new Error('nothing is due');
    return { key, subscription, turn };
  }
  type Publish = typeof used.directory.publish;
  const FAILS: Publish = () => Promise.reject(new Error('Redis is away'));
  /** A command timeout: Redis has run the command, and its reply comes too late. */
  const REPLY_IS_LOST: Publish = async (...args) => {
    await used.directory.publish(...args);
    throw new Error('Redis is away');
  };
  async function changeFailing(change: Change, subscription: Subscription, publish: Publish) {
    const failing = { ...used.deps, subscriptionDirectory: { ...used.directory, publish } };
    const message = await change(failing, subscription).catch((error: Error) => error.message);
    expect(message).to.equal('Redis is away');
    used.slept = [];
  }

  for (const [what, why, change] of CHANGES) {
    it(`is in force once it resolves: a ${what}`, async () => {
      const { subscription, turn } = await leased();
      await changeFailing(change, subscription, FAILS);
      expect((await used.turns.renew(turn)).status).to.equal('leased');

      await change(used.deps, subscription);
      expect(await used.turns.renew(turn)).to.deep.equal({ status: 'stopped', why });
      expect(used.slept[0], 'it waits for the lease').to.be.within(1, 1000);
    });

    it(`waits for the last lease if only the reply of Redis was lost: a ${what}`, async () => {
      const { subscription, turn } = await leased();
      await changeFailing(change, subscription, REPLY_IS_LOST);
      expect(await used.turns.renew(turn)).to.deep.equal({ status: 'stopped', why });

      await change(used.deps, subscription);
      expect(used.slept[0], 'the lease from before').to.be.within(1, 1000);
    });
  }

  it('is in force once it resolves: the revocation of a key of which nothing is left', async () => {
    const { key, subscription, turn } = await leased({ client: { mode: 'test' } });
    const revoked: Change = (deps) => stopForRevokedKey(deps, key);
    await changeFailing(revoked, subscription, FAILS);
    expect(await used.store.subscriptions.listOfKey(key.key_id)).to.deep.equal([]);
    expect((await used.turns.renew(turn)).status).to.equal('leased');

    await revoked(used.deps, subscription);
    expect(await used.turns.renew(turn)).to.deep.equal({ status: 'lost' });
    expect(used.slept[0], 'it waits for the lease').to.be.within(1, 1000);
  });

  it('needs no Redis for a revoked key that cannot subscribe', async () => {
    const version = () => Promise.reject(new Error('Redis is away'));
    const deps = { ...used.deps, subscriptionDirectory: { ...used.directory, version } };
    const key = await addKey(used);
    await stopForRevokedKey(deps, { ...key, scopes: ['read:leads'] });
    const unknown = await stopForRevokedKey(deps, key).catch((error: Error) => error.message);
    expect(unknown).to.equal('Redis is away');
  });

  const deleted: Change = (deps, { account_id, subscription_id }) =>
    deleteByAdmin(deps, account_id, subscription_id);

  it('is in force once it responds that nothing is there: a deletion by an admin', async () => {
    const { subscription, turn } = await leased();
    await changeFailing(deleted, subscription, FAILS);
    expect((await used.turns.renew(turn)).status).to.equal('leased');
    expect(await deleted(used.deps, subscription)).to.deep.equal({ status: 'not_found' });
    expect(await used.turns.renew(turn)).to.deep.equal({ status: 'lost' });
    expect(used.slept[0], 'it waits for the lease').to.be.within(1, 1000);
  });

  it('is in force once it resolves: a create that pauses', async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key, {});
    const paused = { active: false };
    const publish = FAILS;
    const failing = {
      ...used,
      deps: { ...used.deps, subscriptionDirectory: { ...used.directory, publish } },
    };
    const message = await made(failing, key, paused).catch((error: Error) => error.message);
    expect(message).to.equal('Redis is away');
    expect(await publishedOf(used, subscription.subscription_id)).to.include({ paused: null });
    expect((await made(used, key, paused)).status).to.equal('existing');
    expect(await publishedOf(used, subscription.subscription_id)).to.include({ paused: 'by_client' });
  });
});
