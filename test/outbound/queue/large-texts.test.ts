import { TAKEN_TEXT } from '@sluice/outbound/queue/limits';
import { expect } from 'chai';
import { ACCOUNT, change, subscription, useMailboxes } from './support/use-mailboxes.ts';

const LENGTH = 900_000;
const IDS = ['sub_1', 'sub_2', 'sub_3', 'sub_4'];

describe('mailboxes: large texts', () => {
  const room = useMailboxes();

  /** Ten messages in each of three mailboxes, and a test in the fourth. */
  async function fill() {
    await room.publishAll(...IDS.map((subscription_id) => subscription({ subscription_id })));
    const text = 'x'.repeat(LENGTH);
    for (const id of IDS.slice(0, 3))
      await room.push(
        ...Array.from({ length: 10 }, (_, n) => ({ ...change(`${id}_${n}`, { to: [id] }), text })),
      );
    const test = { changeId: 't1', messageId: 'msg_t1', recordId: 'sub_4', text: 'a test' };
    await room.mailboxes().pushTest(ACCOUNT, 'sub_4', test);
  }
  const lengths = ({ entries }: { readonly entries: readonly { readonly text: string | null }[] }) =>
    entries.map(({ text }) => text?.length ?? 0);

  it('are left in MongoDB beyond what a claim returns and a turn keeps, except those of tests', async () => {
    await fill();
    const turns = await room.claim();
    expect(turns.map(({ subscription: { subscription_id } }) => subscription_id)).to.deep.equal(IDS);
    const kept = [...Array(3).fill(LENGTH), ...Array(7).fill(0)];
    expect(kept.reduce((sum, length) => sum + length, -LENGTH)).to.be.below(TAKEN_TEXT.turn);
    expect(turns.map(lengths)).to.deep.equal([kept, kept, Array(10).fill(0), ['a test'.length]]);
  });

  it('are left in MongoDB beyond what a settlement returns', async () => {
    await fill();
    const turns = await room.claim(3, 1);
    const all = turns.map((turn) =>
      room.settle(turn, [{ number: turn.entries[0]?.number as number, outcome: 'done' }], 9),
    );
    const kept = [...Array(3).fill(LENGTH), ...Array(6).fill(0)];
    const settled = await Promise.all(all);
    expect(settled.map((one) => (one.status === 'go_on' ? lengths(one) : one.status))).to.deep.equal([
      kept,
      kept,
      Array(9).fill(0),
    ]);
  });

  it('are left in MongoDB beyond what the caller has room for', async () => {
    await fill();
    const [turn] = await room.mailboxes().claim({ shard: 0, limit: 1, perTurn: 2, mostText: 1 });
    if (turn === undefined) throw new Error('no turn');
    expect(lengths(turn)).to.deep.equal([LENGTH, 0]);
    const results = turn.entries.map(({ number }) => ({ number, outcome: 'done' }) as const);
    const settled = await room.mailboxes().settle(turn, { results, state: turn.state, more: 3, mostText: 0 });
    expect(settled.status === 'go_on' && lengths(settled)).to.deep.equal([0, 0, 0]);
  });
});
