import { createSubscriptionDirectory } from '@sluice/outbound/directory/subscription-directory';
import { FENCE_MS, LEASE_MS } from '@sluice/outbound/queue/limits';
import { expect } from 'chai';
import { change, changeIds, useCursors } from '../log/support/use-cursors.ts';
import { withClock } from './support/clock-of-redis.ts';

describe('the published subscriptions', () => {
  const room = useCursors();
  const { publishAll, publish, append, claim, claimOne, settle } = room;
  const version = () => room.directory().version(room.accountId());
  const hash = () => room.keyspace().mailbox(room.subscription().subscription_id);
  const list = () => room.keyspace().subscriptions(room.accountId());
  const none = { put: [], remove: [] };

  it('are absent until all of an account are published', async () => {
    expect(await version()).to.deep.equal({ status: 'absent' });
    await publish({});
    expect(await version()).to.deep.equal({ status: 'absent' });
    expect((await room.log().register(room.accountId(), 1)).status).to.equal('absent');
    await publishAll({});
    expect(await version()).to.have.property('status', 'version');
  });

  it('make batches stale that were registered before a change', async () => {
    await publishAll({});
    const registered = await room.log().register(room.accountId(), 1);
    if (registered.status !== 'open') throw new Error(registered.status);
    await publish({ version: 2 });
    const confirmed = await room.log().confirm(room.accountId(), registered.version, [registered.batch], []);
    expect(confirmed).to.deep.equal({ status: 'stale' });
  });

  it('give no numbers during a change', async () => {
    await publishAll({});
    await room.directory().fence(room.accountId());
    expect(await room.log().register(room.accountId(), 1)).to.have.property('status', 'fenced');
    expect(await version()).to.have.property('status', 'fenced');
  });

  it('stay absent if a change was published after all were read', async () => {
    const republished = await room.directory().republish(room.accountId(), async () => {
      await publish({ version: 2, paused: 'by_admin' });
      return { put: [room.subscription()] };
    });
    expect(republished).to.equal(false);
    expect(await version()).to.deep.equal({ status: 'absent' });
    expect(await publishAll({ version: 2 })).to.equal(true);
  });

  it('are absent after a change that was never published', async () => {
    await publishAll({});
    await room.directory().fence(room.accountId());
    for (const name of await room.redis().hkeys(list()))
      if (name.startsWith('fence')) await room.redis().hset(list(), name, 1);
    expect((await room.log().register(room.accountId(), 1)).status).to.equal('absent');
    expect(await version()).to.deep.equal({ status: 'absent' });
    await publishAll({});
    await append(change('c1'));
  });

  it('are named once their fence has ended, until they are published', async () => {
    const clock = withClock(room.redis(), `${room.keyspace().prefix}:test-clock`);
    await clock.set(Date.now());
    const deps = { redis: clock.redis, shards: room.shards(), withLog: true };
    const directory = createSubscriptionDirectory(deps);
    const accountId = room.accountId();
    await directory.fence(accountId);
    expect(await directory.unpublished()).to.deep.equal([]);
    await clock.advance(FENCE_MS);
    expect(await directory.unpublished()).to.deep.equal([accountId]);
    expect(await directory.unpublished()).to.deep.equal([]);
    await clock.advance(FENCE_MS);
    expect(await directory.unpublished()).to.deep.equal([accountId]);
    await directory.republish(accountId, async () => none);
    await clock.advance(FENCE_MS);
    expect(await directory.unpublished()).to.deep.equal([]);
  });

  for (const paused of ['by_admin', 'by_client', 'deleted'] as const) {
    it(`deliver nothing while paused ${paused}, and all of it afterwards`, async () => {
      await publishAll({});
      await append(change('c1'));
      await publish({ version: 2, paused });
      await append(change('c2'));
      expect(await claim()).to.deep.equal([]);
      await publish({ version: 3, fresh_from: 3 });
      expect(changeIds(await claimOne())).to.deep.equal(['c1', 'c2']);
    });
  }

  it('deliver what is due again after a pause during which their dispatcher has died', async () => {
    await publishAll({});
    await append(change('c1'));
    await claimOne();
    await publish({ version: 2, paused: 'by_admin' });
    await room.loseTurn();
    expect(await claim()).to.deep.equal([]);
    await publish({ version: 3, fresh_from: 3 });
    expect(changeIds(await claimOne())).to.deep.equal(['c1']);
  });

  it('deliver nothing once their key has expired by the time of Redis', async () => {
    await publishAll({});
    await append(change('c1'));
    await publish({ version: 2, key_expires_at: 1 });
    expect(await claim()).to.deep.equal([]);
    await publish({ version: 3 });
    expect(changeIds(await claimOne())).to.deep.equal(['c1']);
  });

  it('give no lease beyond a pause, and say how long the last one lasts', async () => {
    await publishAll({});
    await append(change('c1'));
    const turn = await claimOne();
    const { leasesEndInMs } = await publish({ version: 2, paused: 'by_admin' });
    expect(leasesEndInMs).to.be.within(1, 1_000);
    expect(await room.turns().renew(turn)).to.deep.equal({ status: 'stopped', why: 'by_admin' });
    expect(await settle(turn, turn.entries, { more: 10 })).to.deep.equal({ status: 'ended' });
  });

  it('say that the last lease lasts a second at most, also after the clock of Redis was set back', async () => {
    await publishAll({});
    await append(change('c1'));
    await claimOne();
    await room.redis().hset(hash(), 'lease_until', Date.now() + 600_000);
    expect(await publish({ version: 2, paused: 'by_admin' })).to.deep.equal({ leasesEndInMs: LEASE_MS });
  });

  it('say that the lease of a turn lasts a second, also if the clock of Redis was set forward during it', async () => {
    await publishAll({});
    await append(change('c1'));
    const turn = await claimOne();
    await room.redis().hset(hash(), 'lease_until', Date.now() - 600_000);
    expect(await publish({ version: 2, paused: 'by_admin' })).to.deep.equal({ leasesEndInMs: LEASE_MS });
    await settle(turn, turn.entries);
    expect(await publish({ version: 3, paused: 'by_admin' })).to.deep.equal({ leasesEndInMs: 0 });
  });

  it('say with their version how long the last lease lasts: the reply to a publication may be lost', async () => {
    const leases = async () => {
      const found = await version();
      return found.status === 'version' ? found.leasesEndInMs : found.status;
    };
    await publishAll({});
    await append(change('c1'));
    await claimOne();
    expect(await leases(), 'no lease of an earlier state').to.equal(0);
    await publish({ version: 2, paused: 'by_admin' });
    expect(await leases()).to.be.within(1, LEASE_MS);
    const until = (ms: number) => room.redis().hset(list(), 'leases_until', ms);
    await until(Date.now() - 1);
    expect(await leases()).to.equal(0);
    await until(Date.now() + 600_000);
    expect(await leases(), 'the clock was set back').to.equal(LEASE_MS);
  });

  it('stop a turn whose subscription has changed', async () => {
    await publishAll({});
    await append(change('c1'), change('c2'));
    const turn = await claimOne(1);
    const target_url = 'https://example.com/other';
    await publish({ version: 2, target_url });
    expect(await room.turns().renew(turn)).to.deep.equal({ status: 'stopped', why: 'changed' });
    const back = turn.entries.map(({ number }) => ({ number, outcome: 'given_back' as const }));
    const settled = await room.turns().settle(turn, { results: back, state: turn.state, more: 0 });
    expect(settled).to.deep.equal({ status: 'ended' });
    const next = await claimOne();
    expect(next.subscription.target_url).to.equal(target_url);
    expect(changeIds(next)).to.deep.equal(['c1', 'c2']);
  });

  it('never go back to an older version', async () => {
    await publishAll({ version: 2, paused: 'by_admin' });
    await append(change('c1'));
    await publish({ version: 1 });
    expect(await claim()).to.deep.equal([]);
  });

  it('leave nothing in Redis once they are removed', async () => {
    await publishAll({});
    await append(change('c1'));
    const turn = await claimOne();
    const fence = await room.directory().fence(room.accountId());
    const remove = [room.subscription().subscription_id];
    const { leasesEndInMs } = await room.directory().publish(room.accountId(), fence, { ...none, remove });
    expect(leasesEndInMs).to.be.within(1, 1_000);
    expect(await settle(turn, turn.entries, { more: 10 })).to.deep.equal({ status: 'lost' });
    expect(await room.redis().exists(hash(), room.keyspace().cursors)).to.equal(0);
  });
});

describe('a subscription that was published to another run of Redis', () => {
  const room = useCursors();
  const { publishAll, publish, append, claim, claimOne, settle } = room;
  const hash = () => room.keyspace().mailbox(room.subscription().subscription_id);
  const list = () => room.keyspace().subscriptions(room.accountId());
  const beginRun = () => room.redis().hset(hash(), { run: 'of-before', lease_until: 0 });

  it('is claimed and published after a turn that began before', async () => {
    await publishAll({});
    await append(change('c1'));
    const turn = await claimOne();
    await beginRun();
    const settled = await settle(turn, turn.entries, { failed: { c1: 0 } });
    expect(settled).to.deep.equal({ status: 'ended' });
    expect(await claim()).to.deep.equal([]);
    expect(room.unpublished()).to.deep.equal([room.accountId()]);
    await publishAll({});
    expect(changeIds(await claimOne())).to.deep.equal(['c1']);
  });

  it('sends nothing again that was sent, if Redis has lost how its last turn ended', async () => {
    await publishAll({});
    await append(change('c1'));
    const first = await claimOne();
    const asBefore = await room.redis().hgetall(hash());
    await settle(first, first.entries);
    await append(change('c2'));
    const second = await claimOne();
    await settle(second, second.entries);
    await append(change('c3'));
    await room.redis().hset(hash(), { ...asBefore, turning: '0', cursor: '0', calm: '1', run: 'of-before' });
    await publishAll({});
    room.useAnotherDispatcher();
    expect(changeIds(await claimOne())).to.deep.equal(['c3']);
  });

  it('gets what it has not attempted yet, and later changes with higher numbers, after Redis was emptied', async () => {
    await publishAll({});
    const last = await append(change('c1'), change('c2'));
    const turn = await claimOne(1);
    await settle(turn, turn.entries);
    await room.redis().del(...(await room.redis().keys(`${room.keyspace().prefix}:*`)));
    await publishAll({});
    expect(changeIds(await claimOne())).to.deep.equal(['c2']);
    expect(await append(change('c3'))).to.be.above(last);
  });

  it('may have a lease that Redis has lost', async () => {
    await publishAll({});
    await beginRun();
    expect(await publish({ version: 2, paused: 'by_admin' })).to.deep.equal({ leasesEndInMs: LEASE_MS });
    await beginRun();
    await publishAll({ version: 2, paused: 'by_admin' });
    expect((await publish({ version: 3, paused: 'by_admin' })).leasesEndInMs).to.be.within(1, LEASE_MS);
    await beginRun();
    const fence = await room.directory().fence(room.accountId());
    const removal = { put: [], remove: [room.subscription().subscription_id] };
    const removed = await room.directory().publish(room.accountId(), fence, removal);
    expect(removed).to.deep.equal({ leasesEndInMs: LEASE_MS });
  });

  it('may have a lease that Redis has lost, also for a change whose fence was set in that run', async () => {
    await publishAll({});
    const fence = await room.directory().fence(room.accountId());
    await beginRun();
    const put = [room.subscription({ version: 2, paused: 'by_admin' })];
    const late = room
      .directory()
      .publish(room.accountId(), { ...fence, run: 'of-before' }, { put, remove: [] });
    expect(await late).to.deep.equal({ leasesEndInMs: LEASE_MS });
  });

  it('is not valid if only the replication id differs, as after a promotion of its former master', async () => {
    await publishAll({});
    await append(change('c1'));
    const [process] = ((await room.redis().hget(hash(), 'run')) ?? '').split(':');
    const before = `${process}:${'0'.repeat(40)}`;
    await room.redis().hset(hash(), 'run', before);
    expect(await claim()).to.deep.equal([]);
    expect(room.unpublished()).to.deep.equal([room.accountId()]);
    await room.redis().hset(list(), 'run', before);
    expect(await room.directory().version(room.accountId())).to.deep.equal({ status: 'absent' });
    await publishAll({});
    expect(changeIds(await claimOne())).to.deep.equal(['c1']);
  });
});
