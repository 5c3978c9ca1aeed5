import { expect } from 'chai';
import { change, changeIds, done, subscription, useMailboxes } from './support/use-mailboxes.ts';

describe('an ordered mailbox', () => {
  const room = useMailboxes();
  const { publishAll, publish, push, claimOne, settle, loseTurn } = room;
  const ordered = subscription({ ordered: true });

  it('attempts the entries of one record one after the other', async () => {
    await publishAll(ordered);
    await push(
      change('a1', { recordId: 'a' }),
      change('a2', { recordId: 'a' }),
      change('b1', { recordId: 'b' }),
    );
    const turn = await claimOne();
    expect(changeIds(turn)).to.deep.equal(['a1', 'b1']);
    const next = await settle(turn, done(turn), 10);
    expect(next.status === 'go_on' && changeIds(next)).to.deep.equal(['a2']);
  });

  it('holds back only the record of an entry that failed', async () => {
    await publishAll(ordered);
    await push(change('a1', { recordId: 'a' }), change('b1', { recordId: 'b' }));
    const turn = await claimOne();
    await push(change('a2', { recordId: 'a' }), change('b2', { recordId: 'b' }));
    const failed = { number: 1, outcome: 'again', dueAt: Date.now() + 60_000 } as const;
    const next = await settle(turn, [failed, { number: 2, outcome: 'done' }], 10);
    expect(next.status === 'go_on' && changeIds(next)).to.deep.equal(['b2']);
  });

  it('keeps the order of a record when a turn is lost', async () => {
    await publishAll(ordered);
    await push(change('a1', { recordId: 'a' }), change('a2', { recordId: 'a' }));
    await claimOne();
    await loseTurn();
    const turn = await claimOne();
    expect(changeIds(turn)).to.deep.equal(['a1']);
    const next = await settle(turn, done(turn), 10);
    expect(next.status === 'go_on' && changeIds(next)).to.deep.equal(['a2']);
  });

  it('is in order also if it becomes ordered while entries wait', async () => {
    await publishAll(subscription());
    await push(
      change('a1', { recordId: 'a' }),
      change('a2', { recordId: 'a' }),
      change('a3', { recordId: 'a' }),
    );
    const turn = await claimOne(2);
    await settle(turn, [
      { number: 1, outcome: 'again', dueAt: Date.now() + 60_000 },
      { number: 2, outcome: 'again', dueAt: Date.now() },
    ]);
    await publish(subscription({ ordered: true, version: 2 }));
    const first = await claimOne();
    expect(changeIds(first)).to.deep.equal(['a1']);
    const second = await settle(first, done(first), 10);
    expect(second.status === 'go_on' && changeIds(second)).to.deep.equal(['a2']);
  });
});
