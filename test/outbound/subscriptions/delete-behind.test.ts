import { deleteByKey } from '@sluice/outbound/subscriptions/delete-subscription';
import { sweepSubscriptions } from '@sluice/outbound/subscriptions/sweep';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { publishAll } from './support/messages.ts';
import { addKey, made, publishedOf, useSubscriptions } from './support.ts';

describe('subscriptions: a delete while Redis is slow', () => {
  const used = useSubscriptions();

  async function subscribed() {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    await publishAll(used, key.account_id);
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    const asked = { accountId, keyId: key.key_id, subscriptionId };
    const stored = () => used.store.subscriptions.findSubscription(accountId, subscriptionId);
    const paused = async () => (await publishedOf(used, subscriptionId))?.paused;
    return { asked, stored, paused };
  }
  const withPublish = (publish: typeof used.directory.publish) => ({
    ...used.deps,
    subscriptionDirectory: { ...used.directory, publish },
  });

  it('is successful once it is stored, and is published behind it', async () => {
    const { asked, stored, paused } = await subscribed();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = withPublish((...args) => held.then(() => used.directory.publish(...args)));
    expect(await deleteByKey(slow, { ...asked, answerWithinMs: 50 })).to.include({ status: 'deleted' });
    expect((await stored())?.deleted_at).to.be.a('number');
    expect(await paused()).to.equal(null);
    release();
    await until(async () => (await paused()) === 'deleted');
  });

  it('waits for its publication if that is quick, also if Redis fails once', async () => {
    const { asked, paused } = await subscribed();
    let failures = 0;
    const failing = withPublish(async (...args) => {
      if (failures++ === 0) throw new Error('Redis is away');
      return used.directory.publish(...args);
    });
    expect(await deleteByKey(failing, asked)).to.include({ status: 'deleted' });
    expect(await paused()).to.equal('deleted');
  });

  it('is not found by a repeat while Redis is away, and fails without an earlier one', async () => {
    const { asked } = await subscribed();
    const { asked: other } = await subscribed();
    await deleteByKey(
      withPublish(() => new Promise(() => undefined)),
      { ...asked, answerWithinMs: 0 },
    );
    const fails = () => Promise.reject(new Error('Redis is away'));
    const away = {
      ...used.deps,
      subscriptionDirectory: { ...used.directory, version: fails, fence: fails, publish: fails },
    };
    expect(await deleteByKey(away, asked)).to.deep.equal({ status: 'not_found' });
    const message = await deleteByKey(away, other).catch((error: Error) => error.message);
    expect(message).to.equal('Redis is away');
  });

  it('is published by the sweep if its process has died', async () => {
    const { asked, paused } = await subscribed();
    const dying = withPublish(() => new Promise(() => undefined));
    await deleteByKey(dying, { ...asked, answerWithinMs: 0 });
    // The fence of the dead process ends after 15 s.
    const list = (await used.redis.keys(`*:subscriptions:${asked.accountId}`))[0] as string;
    const [fence = ''] = (await used.redis.hkeys(list)).filter((name) => name.startsWith('fence:'));
    await used.redis.hset(list, { [fence]: 1, fenced_until: 1 });
    const fenced = createShards(used.namespace, 1).first.fenced;
    await used.redis.zadd(fenced, 1, asked.accountId);
    await sweepSubscriptions(used.deps);
    expect(await paused()).to.equal('deleted');
  });
});
