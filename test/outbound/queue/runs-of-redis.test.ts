import { LEASE_MS } from '@sluice/outbound/queue/limits';
import { expect } from 'chai';
import { ACCOUNT, change, changeIds, subscription, useMailboxes } from './support/use-mailboxes.ts';

describe('a mailbox that was published to another run of Redis', () => {
  const room = useMailboxes();
  const { publishAll, push, claim, claimOne, settle } = room;
  const mailbox = () => room.keyspace().mailbox('sub_1');
  const list = () => room.keyspace().subscriptions(ACCOUNT);
  const subscribed = () => room.keyspace().subscribed(ACCOUNT);
  const beginRun = () => room.redis().hset(mailbox(), 'run', 'of-before');

  it('is claimed and published after a turn that began before', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    const turn = await claimOne();
    await beginRun();
    const results = turn.entries.map(({ number }) => ({ number, outcome: 'again' as const, dueAt: 0 }));
    expect(await settle(turn, results)).to.deep.equal({ status: 'ended' });
    expect(await claim()).to.deep.equal([]);
    expect(room.unpublished()).to.deep.equal([ACCOUNT]);
    await publishAll(subscription());
    expect(changeIds(await claimOne())).to.deep.equal(['c1']);
  });

  it('may have a lease that Redis has lost, also for a change whose fence was set in that run', async () => {
    await publishAll(subscription());
    const directory = room.directory();
    const fence = await directory.fence(ACCOUNT);
    await room.redis().hset(mailbox(), { run: 'of-before', lease_until: 0 });
    const paused = subscription({ version: 2, paused: 'by_admin' });
    const late = directory.publish(
      ACCOUNT,
      { ...fence, run: 'of-before' },
      { put: [paused], remove: [], wantsEvents: false },
    );
    expect(await late).to.deep.equal({ leasesEndInMs: LEASE_MS });
  });

  it('is not valid if only the replication id differs, as after a promotion of its former master', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    const [process] = ((await room.redis().hget(mailbox(), 'run')) ?? '').split(':');
    const before = `${process}:${'0'.repeat(40)}`;
    await room.redis().hset(mailbox(), 'run', before);
    expect(await claim()).to.deep.equal([]);
    expect(room.unpublished()).to.deep.equal([ACCOUNT]);
    await room.redis().hset(list(), 'run', before);
    expect(await room.directory().version(ACCOUNT)).to.deep.equal({ status: 'absent' });
    await publishAll(subscription());
    await room.loseTurn();
    expect(changeIds(await claimOne())).to.deep.equal(['c1']);
  });

  it('asks MongoDB whether the account asks for events', async () => {
    await publishAll(subscription());
    const stored = (await room.redis().get(subscribed())) ?? '';
    expect(stored).to.match(/^[0-9a-f]{40}:[0-9a-f]{40} 0$/);
    await room.redis().set(subscribed(), `${'0'.repeat(40)}${stored.slice(40)}`);
    const asking = await room.directory().wantsEvents([ACCOUNT], async () => new Set([ACCOUNT]));
    expect(asking.has(ACCOUNT)).to.equal(true);
  });
});
