import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { ACCOUNT, change, changeIds, done, subscription, useMailboxes } from './support/use-mailboxes.ts';

describe('turns of a mailbox', () => {
  const room = useMailboxes();
  const { publishAll, push, claim, claimOne, settle, loseTurn } = room;

  it('give what was pushed, in order and with its text', async () => {
    await publishAll(subscription());
    await push(change('c1'), change('c2'));
    const turn = await claimOne();
    expect(turn.subscription).to.deep.equal(subscription());
    expect(turn.entries.map(({ number, messageId, text }) => ({ number, messageId, text }))).to.deep.equal([
      { number: 1, messageId: 'msg_c1_sub_1', text: 'text of c1' },
      { number: 2, messageId: 'msg_c2_sub_1', text: 'text of c2' },
    ]);
    expect(await settle(turn, done(turn), 10)).to.deep.equal({ status: 'ended' });
    expect(await claim()).to.deep.equal([]);
  });

  it('give a lease of at most 1 s', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    const before = performance.now();
    const turn = await claimOne();
    expect(turn.leaseUntil).to.be.within(before, performance.now() + 1_000);
    const renewed = await room.mailboxes().renew(turn);
    expect(renewed).to.have.property('status', 'leased');
  });

  it('return the entries of a lost turn in order, and ignore what its dispatcher says later', async () => {
    await publishAll(subscription());
    await push(change('c1'), change('c2'), change('c3'));
    const lost = await claimOne(2);
    await loseTurn();
    const turn = await claimOne();
    expect(changeIds(turn)).to.deep.equal(['c1', 'c2', 'c3']);
    expect(await settle(lost, done(lost), 10)).to.deep.equal({ status: 'lost' });
    expect(await room.mailboxes().renew(lost)).to.deep.equal({ status: 'lost' });
    await loseTurn();
    expect(changeIds(await claimOne())).to.deep.equal(['c1', 'c2', 'c3']);
  });

  it('wait no longer if the clock of the dispatcher has jumped back since', async () => {
    await publishAll(subscription());
    await push(change('c1'), change('c2'));
    const first = await claimOne(1);
    await settle(first, [{ number: 1, outcome: 'again', dueAt: 0 }], 0, {
      notBefore: Date.now() + 3_600_000,
    });
    // The hour is over by Redis's clock. The dispatcher's is an hour behind what it was.
    await room.redis().hset(room.keyspace().mailbox('sub_1'), 'not_before', 0);
    await room.loseTurn();
    const turn = await claimOne(1);
    expect(turn.state.notBefore).to.equal(0);
    // The receiver asks for a minute.
    const notBefore = Date.now() + 60_000;
    await settle(turn, [{ number: turn.entries[0]?.number ?? 0, outcome: 'done' }], 0, { notBefore });
    expect(await claim()).to.deep.equal([]);
  });

  it('have the wait of their mailbox by the clock of their dispatcher', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    const turn = await claimOne(1);
    await settle(turn, [{ number: 1, outcome: 'given_back' }], 0, { notBefore: Date.now() + 60_000 });
    const entry = { changeId: 'c1', messageId: 'msg_c1', kind: 'lead.created', recordId: 'rec_c1' };
    await room.mailboxes().pushRedelivery(ACCOUNT, 'sub_1', entry);
    // The dispatcher that stored it has a clock that is an hour ahead.
    const state = JSON.stringify({ ...turn.state, notBefore: Date.now() + 3_600_000 });
    await room.redis().hset(room.keyspace().mailbox('sub_1'), 'state', state);
    const { notBefore } = (await claimOne()).state;
    expect(notBefore - Date.now()).to.be.within(50_000, 60_000);
  });

  it('take one entry at a time of another record while a mailbox is probed', async () => {
    await publishAll(subscription());
    await push(change('c1', { recordId: 'a' }), change('c2', { recordId: 'a' }), change('c3'), change('c4'));
    const turn = await claimOne(1);
    const probed = { probing: true, lastProbed: 'a' };
    const failed = { number: 1, outcome: 'again', dueAt: Date.now() } as const;
    const next = await settle(turn, [failed], 10, probed);
    expect(next.status === 'go_on' && changeIds(next)).to.deep.equal(['c3']);
  });

  it('wake a dispatcher that waits', async () => {
    await publishAll(subscription());
    const blocking = room.redis().duplicate();
    const woken = room.mailboxes().waitForWork({ shard: 0, timeoutMs: 60_000, redis: blocking });
    await push(change('c1'));
    await woken;
    blocking.disconnect();
    expect(changeIds(await claimOne())).to.deep.equal(['c1']);
  });
});
