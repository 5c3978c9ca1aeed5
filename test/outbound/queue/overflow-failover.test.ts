import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { countCalls } from './support/count-calls.ts';
import { overflowInMemory } from './support/overflow-in-memory.ts';
import { snapshotOf } from './support/snapshot-of.ts';
import { numbers, useFullMailbox } from './support/use-full-mailbox.ts';
import { ACCOUNT } from './support/use-mailboxes.ts';

describe('a full mailbox whose Redis has lost its last writes', () => {
  const { room, mailboxes, republish, push, fill, take, deliverFront, drain } = useFullMailbox();
  const snapshot = () => snapshotOf(room.redis(), room.keyspace());

  it('delivers what had come back from MongoDB once more', async () => {
    await fill();
    await deliverFront();
    const failOver = await snapshot();
    await take(7, 10);
    await failOver();
    await republish();
    expect(await drain()).to.deep.equal(numbers(7, 20));
  });

  it('keeps the rows that it reads once more, and removes the others after a while', async () => {
    const { store, rows } = overflowInMemory();
    await fill(store, { loadedRowsMs: 100 });
    await deliverFront();
    const failOver = await snapshot();
    const looks = countCalls(room.redis(), 'sluiceOverflowRange');
    await take(7, 10);
    await failOver();
    await republish();
    await until(() => looks() > 0, { what: 'it looks whether rows can be removed' });
    expect(await drain()).to.deep.equal(numbers(7, 20));
    await until(() => rows().length === 0, { what: 'all rows are removed' });
  });

  it('gives no number again that was lost, so that no row is taken for another message', async () => {
    await fill();
    const failOver = await snapshot();
    await push(21, 4);
    await failOver();
    await republish();
    await push(101, 8);
    const lost = numbers(21, 24);
    const delivered = (await drain()).filter((id) => !lost.includes(id));
    expect(delivered).to.deep.equal([...numbers(1, 20), ...numbers(101, 108)]);
    expect((await mailboxes().status(ACCOUNT, ['sub_1']))[0]?.waiting).to.equal(0);
  });

  it('accepts nothing that is sent again before it is published again', async () => {
    await fill();
    await (await snapshot())();
    const again = { changeId: 'c1', messageId: 'msg_c1_sub_1', kind: 'lead.created', recordId: 'rec_c1' };
    expect(await mailboxes().pushRecovered(ACCOUNT, 'sub_1', [again])).to.equal('absent');
    expect(await mailboxes().pushRedelivery(ACCOUNT, 'sub_1', again)).to.equal('absent');
  });
});
