import { expect } from 'chai';
import { ACCOUNT, change, changeIds, done, subscription, useMailboxes } from './support/use-mailboxes.ts';

describe('the messages that wait in a mailbox', () => {
  const room = useMailboxes();
  const { publishAll, publish, push, claim, claimOne, settle } = room;
  const status = async () => (await room.mailboxes().status(ACCOUNT, ['sub_0', 'sub_1']))[0];
  const list = (after = 0, limit = 10) => room.mailboxes().list(ACCOUNT, 'sub_1', { after, limit });

  it('are counted, with those that are attempted now and when the next is due', async () => {
    await publishAll(subscription());
    expect(await status()).to.include({ waiting: 0, attempting: 0, waitingSince: null, nextDueAt: null });
    await push(change('c1'), change('c2'), change('c3'));
    const turn = await claimOne(2);
    expect(await status()).to.include({ waiting: 3, attempting: 2, nextDueAt: null });
    const again = { number: 2, outcome: 'again', dueAt: Date.now() + 60_000 } as const;
    await settle(turn, [{ number: 1, outcome: 'done' }, again], 0, { round: 7 });
    const found = await status();
    expect(found).to.include({ waiting: 2, attempting: 0 });
    expect(found?.state.round).to.equal(7);
    expect(found?.waitingSince).to.equal(turn.entries[1]?.pushedAt);
    expect(found?.nextDueAt).to.be.closeTo(Date.now(), 5_000);
  });

  it('are listed by number, page by page, wherever they are', async () => {
    await publishAll(subscription({ ordered: true }));
    const records = ['a', 'a', 'b', 'c', 'd', 'e', 'f'];
    await push(...records.map((recordId, index) => change(`c${index + 1}`, { recordId })));
    const turn = await claimOne(3);
    await settle(turn, [{ number: 1, outcome: 'again', dueAt: Date.now() + 60_000 }], 0);
    const numbers = async (after: number, limit: number) =>
      (await list(after, limit)).map(({ number }) => number);
    expect(await numbers(0, 10)).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
    expect(await numbers(0, 3)).to.deep.equal([1, 2, 3]);
    expect(await numbers(3, 3)).to.deep.equal([4, 5, 6]);
    expect(await numbers(6, 3)).to.deep.equal([7]);
  });

  it('are discarded except those that are attempted now', async () => {
    await publishAll(subscription({ ordered: true }));
    await push(change('a1', { recordId: 'a' }), change('a2', { recordId: 'a' }), change('b1'), change('c1'));
    const turn = await claimOne(2);
    expect(await room.mailboxes().discard(ACCOUNT, 'sub_1')).to.equal(2);
    await push(change('a3', { recordId: 'a' }), change('d1'));
    const next = await settle(turn, [], 10);
    expect(next.status === 'go_on' && changeIds(next)).to.deep.equal(['d1']);
    const last = await settle(turn, done(turn), 10);
    expect(last.status === 'go_on' && changeIds(last)).to.deep.equal(['a3']);
  });

  it('stay discarded when the subscription is activated', async () => {
    await publishAll(subscription({ paused: 'by_admin' }));
    await push(change('c1'));
    expect(await room.mailboxes().discard(ACCOUNT, 'sub_1')).to.equal(1);
    await publish(subscription({ version: 2 }));
    await push(change('c1'));
    expect(await claim()).to.deep.equal([]);
  });

  it('have no text once their change is erased', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    await room.mailboxes().eraseChanges(ACCOUNT, ['c1']);
    expect((await claimOne()).entries[0]).to.include({ changeId: 'c1', text: null });
  });
});
