import { FENCE_MS, LEASE_MS } from '@sluice/outbound/queue/limits';
import { createSubscriptionDirectory } from '@sluice/outbound/queue/subscription-directory';
import { expect } from 'chai';
import { withClock } from './support/clock-of-redis.ts';
import { ACCOUNT, change, changeIds, done, subscription, useMailboxes } from './support/use-mailboxes.ts';

describe('the published subscriptions', () => {
  const room = useMailboxes();
  const { publishAll, publish, version, push, claim, claimOne, settle } = room;

  it('are absent until all of an account are published', async () => {
    expect(await room.directory().version(ACCOUNT)).to.deep.equal({ status: 'absent' });
    await publish(subscription());
    expect(await room.directory().version(ACCOUNT)).to.deep.equal({ status: 'absent' });
    await publishAll(subscription());
    expect(await room.directory().version(ACCOUNT)).to.have.property('status', 'version');
  });

  it('make pushes by an older list stale', async () => {
    await publishAll(subscription());
    const before = await version();
    await publish(subscription({ version: 2 }));
    expect(await room.mailboxes().push(ACCOUNT, before, [change('c1')])).to.deep.equal({ status: 'stale' });
    expect(await push(change('c1'))).to.deep.equal({ status: 'pushed' });
  });

  it('make pushes wait during a change', async () => {
    await publishAll(subscription());
    const before = await version();
    await room.directory().fence(ACCOUNT);
    const pushed = await room.mailboxes().push(ACCOUNT, before, [change('c1')]);
    expect(pushed).to.have.property('status', 'fenced');
    expect(await room.directory().version(ACCOUNT)).to.have.property('status', 'fenced');
  });

  it('stay absent if a change was published after all were read', async () => {
    const directory = room.directory();
    const republished = await directory.republish(ACCOUNT, async () => {
      await publish(
        subscription({ version: 2, paused: 'by_admin' }),
        subscription({ subscription_id: 'sub_2' }),
      );
      return { put: [subscription()], wantsEvents: false };
    });
    expect(republished).to.equal(false);
    expect(await directory.version(ACCOUNT)).to.deep.equal({ status: 'absent' });
    expect(await room.mailboxes().status(ACCOUNT, ['sub_1', 'sub_2'])).to.have.length(2);
    expect(await directory.republish(ACCOUNT, async () => ({ put: [], wantsEvents: false }))).to.equal(true);
  });

  it('are absent after a change that was never published', async () => {
    await publishAll(subscription());
    const before = await version();
    await room.directory().fence(ACCOUNT);
    const list = room.keyspace().subscriptions(ACCOUNT);
    for (const name of await room.redis().hkeys(list))
      if (name.startsWith('fence')) await room.redis().hset(list, name, 1);
    expect(await room.mailboxes().push(ACCOUNT, before, [change('c1')])).to.deep.equal({ status: 'stale' });
    expect(await room.directory().version(ACCOUNT)).to.deep.equal({ status: 'absent' });
    await publishAll(subscription());
    expect(await push(change('c1'))).to.deep.equal({ status: 'pushed' });
  });

  it('are named once their fence has ended, until they are published', async () => {
    const clock = withClock(room.redis(), `${room.keyspace().prefix}:test-clock`);
    await clock.set(Date.now());
    const directory = createSubscriptionDirectory({ redis: clock.redis, shards: room.shards() });
    const republish = () => directory.republish(ACCOUNT, async () => ({ put: [], wantsEvents: false }));
    await directory.fence(ACCOUNT);
    expect(await directory.unpublished()).to.deep.equal([]);
    await clock.advance(FENCE_MS);
    expect(await directory.unpublished()).to.deep.equal([ACCOUNT]);
    expect(await directory.unpublished()).to.deep.equal([]);
    await clock.advance(FENCE_MS);
    expect(await directory.unpublished()).to.deep.equal([ACCOUNT]);
    await republish();
    await clock.advance(FENCE_MS);
    expect(await directory.unpublished()).to.deep.equal([]);
  });

  for (const paused of ['by_admin', 'by_client', 'deleted'] as const) {
    it(`collect and deliver nothing while paused ${paused}`, async () => {
      await publishAll(subscription());
      await push(change('c1'));
      await publish(subscription({ version: 2, paused }));
      await push(change('c2'));
      expect(await claim()).to.deep.equal([]);
      await publish(subscription({ version: 3 }));
      expect(changeIds(await claimOne())).to.deep.equal(['c1', 'c2']);
    });
  }

  for (const paused of ['key_revoked', 'key_expired'] as const) {
    it(`collect nothing while paused ${paused}`, async () => {
      await publishAll(subscription({ paused }));
      await push(change('c1'));
      await publish(subscription({ version: 2 }));
      expect(await claim()).to.deep.equal([]);
    });
  }

  it('neither collect nor deliver once their key has expired by the time of Redis', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    await publish(subscription({ version: 2, key_expires_at: 1 }));
    await push(change('c2'));
    expect(await claim()).to.deep.equal([]);
    await publish(subscription({ version: 3 }));
    expect(changeIds(await claimOne())).to.deep.equal(['c1']);
  });

  it('give no lease beyond a pause, and say how long the last one lasts', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    const turn = await claimOne();
    const { leasesEndInMs } = await publish(subscription({ version: 2, paused: 'by_admin' }));
    expect(leasesEndInMs).to.be.within(1, 1_000);
    expect(await room.mailboxes().renew(turn)).to.deep.equal({ status: 'stopped', why: 'by_admin' });
    expect(await settle(turn, done(turn), 10)).to.deep.equal({ status: 'ended' });
  });

  it('say that the last lease lasts a second at most, also after the clock of Redis was set back', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    await claimOne();
    await room.redis().hset(room.keyspace().mailbox('sub_1'), 'lease_until', Date.now() + 600_000);
    const { leasesEndInMs } = await publish(subscription({ version: 2, paused: 'by_admin' }));
    expect(leasesEndInMs).to.equal(LEASE_MS);
  });

  it('say that the lease of a turn lasts a second, also if the clock of Redis was set forward during it', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    const turn = await claimOne();
    await room.redis().hset(room.keyspace().mailbox('sub_1'), 'lease_until', Date.now() - 600_000);
    const paused = subscription({ version: 2, paused: 'by_admin' });
    expect(await publish(paused)).to.deep.equal({ leasesEndInMs: LEASE_MS });
    await settle(turn, done(turn));
    expect(await publish({ ...paused, version: 3 })).to.deep.equal({ leasesEndInMs: 0 });
  });

  it('say that a lease may last a second in a new run of Redis, which may have lost a claim', async () => {
    await publishAll(subscription());
    const mailbox = room.keyspace().mailbox('sub_1');
    const beginRun = () => room.redis().hset(mailbox, { run: 'of-before', lease_until: 0 });
    await beginRun();
    const paused = subscription({ version: 2, paused: 'by_admin' });
    expect(await publish(paused)).to.deep.equal({ leasesEndInMs: LEASE_MS });
    await beginRun();
    await publishAll(paused);
    expect((await publish({ ...paused, version: 3 })).leasesEndInMs).to.be.within(1, LEASE_MS);
    await beginRun();
    const removal = { put: [], remove: ['sub_1'], wantsEvents: false };
    const removed = await room.directory().publish(ACCOUNT, await room.directory().fence(ACCOUNT), removal);
    expect(removed).to.deep.equal({ leasesEndInMs: LEASE_MS });
  });

  it('say with their version how long the last lease lasts: the reply to a publication may be lost', async () => {
    const leases = async () => {
      const found = await room.directory().version(ACCOUNT);
      return found.status === 'version' ? found.leasesEndInMs : found.status;
    };
    await publishAll(subscription());
    await push(change('c1'));
    await claimOne();
    expect(await leases(), 'no lease of an earlier state').to.equal(0);
    await publish(subscription({ version: 2, paused: 'by_admin' }));
    expect(await leases()).to.be.within(1, LEASE_MS);
    const until = (ms: number) =>
      room.redis().hset(room.keyspace().subscriptions(ACCOUNT), 'leases_until', ms);
    await until(Date.now() - 1);
    expect(await leases()).to.equal(0);
    await until(Date.now() + 600_000);
    expect(await leases(), 'the clock was set back').to.equal(LEASE_MS);
  });

  it('stop a turn whose subscription has changed', async () => {
    await publishAll(subscription());
    await push(change('c1'), change('c2'));
    const turn = await claimOne(1);
    const target_url = 'https://example.com/other';
    await publish(subscription({ version: 2, target_url }));
    expect(await room.mailboxes().renew(turn)).to.deep.equal({ status: 'stopped', why: 'changed' });
    expect(await settle(turn, [{ number: 1, outcome: 'given_back' }], 10)).to.deep.equal({ status: 'ended' });
    const next = await claimOne();
    expect(next.subscription.target_url).to.equal(target_url);
    expect(changeIds(next)).to.deep.equal(['c1', 'c2']);
  });

  it('never go back to an older version', async () => {
    await publishAll(subscription({ version: 2, paused: 'by_admin' }));
    await push(change('c1'));
    await publish(subscription({ version: 1 }));
    expect(await claim()).to.deep.equal([]);
  });

  it('lose the mailboxes of those that are removed', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    const turn = await claimOne();
    const directory = room.directory();
    const fence = await directory.fence(ACCOUNT);
    const { leasesEndInMs } = await directory.publish(ACCOUNT, fence, {
      put: [],
      remove: ['sub_1'],
      wantsEvents: false,
    });
    expect(leasesEndInMs).to.be.within(1, 1_000);
    expect(await settle(turn, done(turn), 10)).to.deep.equal({ status: 'lost' });
    expect(await room.redis().keys(`${room.keyspace().prefix}:mailbox*`)).to.deep.equal([]);
  });
});
