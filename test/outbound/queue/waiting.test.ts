import { expect } from 'chai';
import { ACCOUNT, change, subscription, useMailboxes } from './support/use-mailboxes.ts';

describe('the messages that wait in a mailbox', () => {
  const room = useMailboxes();
  const { publishAll, publish, push, claim, claimOne } = room;

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
