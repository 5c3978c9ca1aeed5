import {
  adoptByAdmin,
  changeSubscription,
  pauseByAdmin,
  resumeByAdmin,
} from '@sluice/outbound/subscriptions/change-subscription';
import { deleteByKey } from '@sluice/outbound/subscriptions/delete-subscription';
import { pauseForKey } from '@sluice/outbound/subscriptions/pause-for-key';
import { markFailing } from '@sluice/outbound/subscriptions/pause-for-receiver';
import { expect } from 'chai';
import { addKey, made, publishedOf, URL_1, useSubscriptions } from './support.ts';

describe('subscriptions: an edit', () => {
  const used = useSubscriptions();

  async function subscribed(body: object = {}) {
    const key = await addKey(used);
    const { subscription } = await made(used, key, { target_url: URL_1, ...body });
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    const own = { accountId, subscriptionId, keyId: key.key_id };
    const patch = async (change: object) => {
      const changed = await changeSubscription(used.deps, { ...own, patch: change });
      if (changed.status !== 'changed') throw new Error(changed.status);
      return changed.subscription;
    };
    const append = (number: number) =>
      used.store.outboundChanges.appendChanges([
        {
          ...{ change_id: `${accountId}-${number}`, account_id: accountId, kind: 'lead.created', number },
          ...{ record_id: 'lead_1', sequence: number, at: Date.now(), text: '' },
        },
      ]);
    const published = () => publishedOf(used, subscriptionId);
    return { key, own, patch, append, published };
  }

  it('of kinds or filter holds from the next number of the log on, until the cursor has passed it', async () => {
    const { key, own, patch, append, published } = await subscribed({ events: ['lead.created'] });
    await append(5);
    const [before, after] = [
      { to: 5, events: ['lead.created'], filter: {} },
      { to: 8, events: ['lead.updated'], filter: {} },
    ];
    expect((await patch({ events: ['lead.updated'] })).earlier).to.deep.equal([before]);
    await append(8);
    await made(used, key, { target_url: URL_1, events: ['*'] });
    expect((await published())?.earlier, 'an edit by a create').to.deep.equal([before, after]);
    expect((await patch({ name: 'Another' })).earlier, 'another edit').to.deep.equal([before, after]);
    const { subscriptionId: subscription_id } = own;
    await used.store.webhookCursors.writeCursors([
      { subscription_id, turn: 1, number: 6, seen: 6, retry_at: null, state: '', version: 1 },
    ]);
    expect((await patch({ filter: { stage: 'stg_new' } })).earlier).to.deep.equal([
      { to: 8, events: ['lead.updated'], filter: {} },
    ]);
    expect((await published())?.earlier).to.deep.equal([{ to: 8, events: ['lead.updated'], filter: {} }]);
  });

  it('that takes over from a dead key leaves out what was published meanwhile, and sends what waited before', async () => {
    for (const reason of ['key_revoked', 'key_expired'] as const) {
      const { key, own, append, published } = await subscribed({ events: ['lead.created'] });
      await append(5);
      await pauseForKey(used.deps, key.key_id, reason);
      const paused = (await used.store.subscriptions.findSubscription(own.accountId, own.subscriptionId))
        ?.paused;
      const died = (paused?.at ?? 0) * 1000;
      const { keyId: _, ...byAdmin } = own;
      await changeSubscription(used.deps, { ...byAdmin, patch: { events: ['*'] } });
      await append(died + 1);
      expect(await published(), 'meanwhile nothing more waits').to.deep.include({ events: [] });
      await adoptByAdmin(used.deps, own.accountId, own.subscriptionId);
      expect((await published())?.earlier, reason).to.deep.equal([
        { to: 5, events: ['lead.created'], filter: {} },
        { to: died, events: ['*'], filter: {} },
        { to: died + 1, events: [], filter: {} },
      ]);
    }
  });

  it('of the URL, and the end of a pause or a deletion, are a new start for the receiver', async () => {
    const { key, own, patch, published } = await subscribed();
    const { accountId, subscriptionId } = own;
    const isNewStart = async () => {
      const { fresh_from, version } = (await published()) ?? {};
      return fresh_from === version;
    };
    await patch({ target_url: 'https://hooks.example.com/2' });
    expect(await isNewStart(), 'another URL').to.equal(true);
    await patch({ events: ['*'], ordered: true });
    expect(await isNewStart(), 'another edit').to.equal(false);
    await patch({ active: false });
    expect(await isNewStart(), 'a pause').to.equal(false);
    await patch({ active: true });
    expect(await isNewStart(), 'its end').to.equal(true);
    await markFailing(used.deps, { accountId, subscriptionId, detail: 'It failed.' });
    expect(await isNewStart(), 'the mark that it fails').to.equal(false);
    await pauseByAdmin(used.deps, accountId, subscriptionId);
    await resumeByAdmin(used.deps, accountId, subscriptionId);
    expect(await isNewStart(), 'a resume by an admin').to.equal(true);
    await deleteByKey(used.deps, own);
    expect(await isNewStart(), 'a deletion').to.equal(false);
    expect((await made(used, key, { target_url: 'https://hooks.example.com/2' })).status).to.equal('created');
    expect(await isNewStart(), 'its revival').to.equal(true);
  });
});
