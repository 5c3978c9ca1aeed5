import { expect } from 'chai';
import { change, changeIds, useCursors } from './support/use-cursors.ts';

describe('a message that waits and has no text any more', () => {
  const room = useCursors();

  it('ends as erased, so that it is not taken again and again', async () => {
    const { subscription, publishAll, append, claim, claimOne, settle } = room;
    await publishAll({});
    await append(change('c1'));
    const first = await claimOne();
    await settle(first, first.entries, { failed: { c1: 0 } });
    const turn = await claimOne();
    expect(changeIds(turn)).to.deep.equal(['c1']);
    // A dispatcher logs nothing, because nothing was sent.
    const results = turn.entries.map(({ number }) => ({ number, outcome: 'no_text' as const }));
    const settled = await room.turns().settle(turn, { results, state: turn.state, more: 10 });
    expect(settled).to.deep.equal({ status: 'ended' });
    expect(await claim()).to.deep.equal([]);
    const { webhookMessages } = room.store();
    const id = turn.entries[0]?.messageId ?? '';
    const { subscription_id } = subscription();
    expect(await webhookMessages.findMessage(subscription_id, id)).to.include({ status: 'erased' });
  });
});
