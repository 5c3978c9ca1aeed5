import { expect } from 'chai';
import { overflowInMemory } from './support/overflow-in-memory.ts';
import { numbers, useFullMailbox } from './support/use-full-mailbox.ts';
import { ACCOUNT } from './support/use-mailboxes.ts';

const MESSAGES = 20;

/** Its receiver fails after all messages have come back from MongoDB, so the last of them return there. */
describe('a full mailbox that gives messages back to MongoDB', () => {
  const { mailboxes, push, fill, take, settle, deliverFront, drain } = useFullMailbox();

  /** Sends a message again, and delivers it. */
  async function resend(id: string): Promise<void> {
    const messageId = `msg_${id}_sub_1`;
    const again = { changeId: id, messageId, kind: 'lead.created', recordId: `rec_${id}` };
    expect(await mailboxes().pushRedelivery(ACCOUNT, 'sub_1', again)).to.equal('pushed');
    const [turn] = await mailboxes().claim({ shard: 0, limit: 1, perTurn: 4 });
    if (turn === undefined) throw new Error('nothing is due');
    const results = turn.entries.map(({ number }) => ({ number, outcome: 'resent' as const }));
    expect(results).to.have.length(1);
    await mailboxes().settle(turn, { results, state: turn.state, more: 0 });
  }
  /** All rows come back with one move, and stay. */
  async function comeBack(): Promise<void> {
    await deliverFront();
    await settle(await take(7, 10));
  }
  /** The attempt fails. The next push gives the last messages back, and those after it follow them to MongoDB. */
  async function fail(): Promise<void> {
    const turn = await take(11, 14);
    const results = turn.entries.map(({ number }) => ({ number, outcome: 'given_back' as const }));
    await mailboxes().settle(turn, { results, state: { ...turn.state, probing: true }, more: 0 });
    await push(21, 2);
    await push(23, 2);
  }
  async function expectOnce(resent: string): Promise<void> {
    const waiting = await mailboxes().waitingMessages(ACCOUNT, 'sub_1', 100);
    expect([...(waiting ?? [])]).to.not.include(`msg_${resent}_sub_1`);
    const rest = numbers(11, 24).filter((id) => id !== resent);
    expect((await drain()).sort()).to.deep.equal(rest);
  }

  for (const resent of ['c19', 'c20']) {
    it(`does not deliver ${resent} again, which was sent again while it was in Redis`, async () => {
      await fill(overflowInMemory().store, { movedAtOnce: MESSAGES });
      await comeBack();
      await resend(resent);
      await fail();
      await expectOnce(resent);
    });

    it(`does not deliver ${resent} again, which was sent again before it came back`, async () => {
      await fill(overflowInMemory().store, { movedAtOnce: MESSAGES });
      await resend(resent);
      await comeBack();
      await fail();
      await expectOnce(resent);
    });
  }
});
