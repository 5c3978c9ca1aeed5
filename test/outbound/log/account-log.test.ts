import { expect } from 'chai';
import { useCursors } from './support/use-cursors.ts';

describe('the numbers of the log of an account', () => {
  const at = useCursors();

  async function open() {
    const registered = await at.log().register(at.accountId(), 1);
    if (registered.status !== 'open') throw new Error(registered.status);
    return registered;
  }

  it('are remembered of 1,000 batches that were given up, and older ones count as passed', async () => {
    await at.publishAll({});
    const first = await open();
    await at.log().giveUp(at.accountId(), [first.batch]);
    const second = await open();
    expect((await at.log().confirm(at.accountId(), second.version, [second.batch], [])).status).to.equal(
      'confirmed',
    );
    for (let n = 0; n < 1_001; n++) await at.log().giveUp(at.accountId(), [(await open()).batch]);
    const { batch, version } = await open();
    expect(await at.redis().zcard(at.keyspace().givenUpBatches(at.accountId()))).to.equal(1_000);
    expect(await at.log().confirm(at.accountId(), version, [batch], [first.batch.first])).to.deep.equal({
      status: 'unsafe',
      numbers: [first.batch.first],
    });
  });
});
