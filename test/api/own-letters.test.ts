import { ownLetters } from '@sluice/api/ops/own-letters';
import type { StoredDeadLetter } from '@sluice/queue/dead-letters';
import { expect } from 'chai';

/** The given number of letters of other accounts, then one of `acc_own`. */
function lettersBehind(others: number) {
  const accounts = [...Array.from({ length: others }, () => 'acc_other'), 'acc_own'];
  const letters = accounts.map((account_id, n) => ({
    ...{ v: 3, delivery_id: `dlv_${n}`, failed_at: 0, reason: 'no reason' },
    action: { account_id },
  })) as unknown as StoredDeadLetter[];
  const asked: number[] = [];
  return {
    asked,
    count: async () => letters.length,
    async list(limit: number, from = 0) {
      asked.push(limit);
      return letters.slice(from, from + limit);
    },
  };
}

describe("api: an account's own dead letters", () => {
  it('are found behind those of other accounts, reading few at a time', async () => {
    const letters = lettersBehind(999);
    const { items, partial } = await ownLetters(letters, 'acc_own');
    expect(items.map(({ delivery_id }) => delivery_id)).to.deep.equal(['dlv_999']);
    expect(partial).to.equal(false);
    expect(Math.max(...letters.asked)).to.be.at.most(100);
  });

  it('are marked as partial if the installation has more letters than are scanned', async () => {
    const { items, partial } = await ownLetters(lettersBehind(1000), 'acc_own');
    expect({ items, partial }).to.deep.equal({ items: [], partial: true });
  });
});
