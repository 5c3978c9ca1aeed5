import { LEASE_MS } from '@sluice/outbound/queue/limits';
import { expect } from 'chai';
import { RUN_OF_0_1_0 } from '../../admission/support/before-histories.ts';
import { ACCOUNT, change, changeIds, done, subscription, useMailboxes } from './support/use-mailboxes.ts';

describe('a mailbox that was published to another run of Redis', () => {
  const room = useMailboxes();
  const { publishAll, push, claim, claimOne, settle } = room;
  const mailbox = () => room.keyspace().mailbox('sub_1');
  const list = () => room.keyspace().subscriptions(ACCOUNT);
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

  it('is not valid if only the replication id differs, as after a promotion of its former master', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    await room.redis().hset(mailbox(), 'history', 'of-before');
    expect(await claim()).to.deep.equal([]);
    expect(room.unpublished()).to.deep.equal([ACCOUNT]);
    await room.redis().hset(list(), 'history', 'of-before');
    expect(await room.directory().version(ACCOUNT)).to.deep.equal({ status: 'absent' });
    await publishAll(subscription());
    await room.loseTurn();
    expect(changeIds(await claimOne())).to.deep.equal(['c1']);
  });
});

/** Version 0.1.0 publishes no replication id, and compares the run_id alone. */
describe('mailboxes while processes of version 0.1.0 run', () => {
  const room = useMailboxes();
  const { publishAll, publish, push, claimOne } = room;
  const hashes = () => [room.keyspace().mailbox('sub_1'), room.keyspace().subscriptions(ACCOUNT)];
  const subscribed = () => room.keyspace().subscribed(ACCOUNT);

  /** Whether a script of 0.1.0 accepts the mailbox and the list. */
  const olderAccepts = async () =>
    room
      .redis()
      .eval(
        `${RUN_OF_0_1_0} return redis.call('HGET', KEYS[1], 'run') == run and redis.call('HGET', KEYS[2], 'run') == run and 1 or 0`,
        2,
        ...hashes(),
      );

  it('accept what 0.1.0 has published in this run', async () => {
    await publishAll(subscription());
    for (const hash of hashes()) await room.redis().hdel(hash, 'history');
    const before = await room.redis().hget(hashes()[0] as string, 'next');
    await push(change('c1'));
    const turn = await claimOne();
    expect(changeIds(turn)).to.deep.equal(['c1']);
    expect(turn.entries[0]?.number).to.equal(Number(before) + 1);
    expect(await room.mailboxes().renew(turn)).to.have.property('status', 'leased');
    await publish(subscription({ version: 2 }));
    expect(await room.directory().version(ACCOUNT)).to.have.property('status', 'version');
    expect(room.unpublished()).to.deep.equal([]);
  });

  it('are accepted by 0.1.0', async () => {
    await publishAll(subscription());
    expect(await olderAccepts()).to.equal(1);
    await publish(subscription({ version: 2 }));
    expect(await olderAccepts()).to.equal(1);
  });

  it('agree with 0.1.0 on whether the account asks for events', async () => {
    const older = `${RUN_OF_0_1_0} local value = redis.call('GET', KEYS[1])
      return string.sub(value, 1, #run + 1) == run .. ' ' and string.sub(value, #run + 2) or ''`;
    const forbidden = async () => {
      throw new Error('MongoDB was read');
    };
    for (const wantsEvents of [true, false]) {
      await room.directory().republish(ACCOUNT, async () => ({ put: [subscription()], wantsEvents }));
      const answer = (await room.redis().eval(older, 1, subscribed())) as string;
      expect(answer).to.not.equal('');
      expect(answer === '1').to.equal(wantsEvents);
      const [run] = ((await room.redis().get(subscribed())) as string).split(' ');
      await room.redis().set(subscribed(), `${run} ${wantsEvents ? 1 : 0}`);
      const asking = await room.directory().wantsEvents([ACCOUNT], forbidden);
      expect(asking.has(ACCOUNT)).to.equal(wantsEvents);
    }
  });

  it('ask MongoDB whether an account asks for events if the replication id differs', async () => {
    await publishAll(subscription());
    const stored = (await room.redis().get(subscribed())) as string;
    expect(stored).to.match(/^[0-9a-f]{40} 0 [0-9a-f]{40}$/);
    await room.redis().set(subscribed(), `${stored.slice(0, 43)}${'0'.repeat(40)}`);
    const asking = await room.directory().wantsEvents([ACCOUNT], async () => new Set([ACCOUNT]));
    expect(asking.has(ACCOUNT)).to.equal(true);
  });
});
