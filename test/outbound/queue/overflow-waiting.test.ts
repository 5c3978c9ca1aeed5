import type { OverflowStore } from '@sluice/contract/subscription/mailbox-overflow';
import { expect } from 'chai';
import { overflowInMemory } from './support/overflow-in-memory.ts';
import { numbers, useFullMailbox } from './support/use-full-mailbox.ts';
import { ACCOUNT } from './support/use-mailboxes.ts';

describe('what waits in a full mailbox', () => {
  const { mailboxes, fill, take, settle, deliverFront } = useFullMailbox();
  const messages = (from: number, to: number) =>
    numbers(from, to)
      .map((id) => `msg_${id}_sub_1`)
      .sort();
  const waiting = async () => [
    ...((await mailboxes().waitingMessages(ACCOUNT, 'sub_1', 100)) ?? new Set<string>()),
  ];
  const unattempted = async () =>
    (await mailboxes().listUnattempted(ACCOUNT, 'sub_1', { limit: 100 })).map(({ messageId }) => messageId);

  it('is without messages that have left, although their rows are still in MongoDB', async () => {
    const { store, rows } = overflowInMemory();
    const removeRows = () => Promise.reject(new Error('MongoDB is away'));
    await fill({ ...store, removeRows }, { loadedRowsMs: 0 });
    await deliverFront();
    await settle(await take(7, 10));
    expect(rows().some(({ number }) => number <= 10)).to.equal(true);
    expect((await waiting()).sort()).to.deep.equal(messages(11, 20));
    expect((await unattempted()).sort()).to.deep.equal(messages(11, 20));
  });

  it('includes messages that come back to Redis while it is read', async () => {
    const { store } = overflowInMemory();
    let moves = 1;
    const newestRows: OverflowStore['newestRows'] = async (page) => {
      if (moves-- > 0) await take(7, 10);
      return store.newestRows(page);
    };
    await fill({ ...store, newestRows });
    await deliverFront();
    expect((await waiting()).sort()).to.deep.equal(messages(7, 20));
  });
});
