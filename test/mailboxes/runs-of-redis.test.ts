import { LEASE_MS } from '@sluice/mailboxes/limits';
import { expect } from 'chai';
import { ACCOUNT, change, changeIds, done, subscription, useMailboxes } from './support/use-mailboxes.ts';

describe('a mailbox that was published to another run of Redis', () => {
  const room = useMailboxes();
  const { publishAll, push, claim, claimOne, settle } = room;
  const mailbox = () => room.keyspace().mailbox('sub_1');
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

  it('leaves the list of turns once it is published, if nothing waits', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    const turn = await claimOne();
    await beginRun();
    expect(await settle(turn, done(turn))).to.deep.equal({ status: 'ended' });
    await claim();
    expect(room.unpublished()).to.deep.equal([ACCOUNT]);
    await publishAll(subscription());
    expect(await room.redis().zcard(room.keyspace().turns)).to.equal(0);
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
});
