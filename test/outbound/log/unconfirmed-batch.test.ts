import { expect } from 'chai';
import { change, changeIds, useCursors } from './support/use-cursors.ts';

/** The batch of a process that has died is given up after 10 s. */
describe('a change beside a batch that is never confirmed', () => {
  const at = useCursors();

  /** Registers a batch of one change, and appends another above it. */
  async function appendAbove(): Promise<void> {
    await at.publishAll({});
    await at.append(change('before'));
    await at.log().register(at.accountId(), 1);
    await at.append(change('above'));
  }
  /** The batch was registered ten seconds ago. */
  async function giveUp(): Promise<void> {
    const key = at.keyspace().openBatches(at.accountId());
    for (const batch of await at.redis().zrange(key, '0', '-1')) await at.redis().zadd(key, '0', batch);
  }

  it('above it is sent in the same turn, if the batch is given up during it', async () => {
    await appendAbove();
    const turn = await at.claimOne();
    expect(changeIds(turn)).to.deep.equal(['before']);
    await giveUp();
    const settled = await at.settle(turn, turn.entries, { more: 1 });
    if (settled.status !== 'go_on') throw new Error(settled.status);
    expect(changeIds(settled)).to.deep.equal(['above']);
  });

  it('above it is due at once, if the batch is given up during a turn that takes no more', async () => {
    await appendAbove();
    const turn = await at.claimOne();
    await giveUp();
    await at.settle(turn, turn.entries);
    expect(changeIds(await at.claimOne())).to.deep.equal(['above']);
  });

  it('that was moved into it is sent, because another process may have cleared it', async () => {
    await at.publishAll({});
    const from = await at.append(change('moved'));
    const registered = await at.log().register(at.accountId(), 1);
    if (registered.status !== 'open') throw new Error(registered.status);
    const number = registered.batch.first;
    await at.store().outboundChanges.moveChanges([{ change_id: 'moved', from, number, again: true }]);
    await giveUp();
    expect(changeIds(await at.claimOne())).to.deep.equal(['moved']);
  });
});
