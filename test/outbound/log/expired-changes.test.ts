import { DAY_MS } from '@sluice/contract/time/durations';
import type { ExpiredChanges } from '@sluice/outbound/log/known-cursors';
import { createLogReader } from '@sluice/outbound/log/log-reader';
import { createCursorTurns } from '@sluice/outbound/log/turns';
import { expect } from 'chai';
import { change, changeIds, useCursors } from './support/use-cursors.ts';

describe('a cursor that is older than the log', () => {
  const room = useCursors();

  /** The first turn after 40 days, of a subscription whose cursor was stored before. */
  async function claimed(fresh_from?: number) {
    const { subscription_id } = room.subscription();
    const number = (Date.now() - 40 * DAY_MS) * 1000;
    await room.publishAll({ version: 2, ...(fresh_from !== undefined && { fresh_from }) });
    const stored = { subscription_id, turn: 1, number, seen: number, retry_at: null, state: '', version: 1 };
    await room.store().webhookCursors.writeCursors([stored]);
    await room.append(change('c1'));
    const store = room.store();
    const reported: ExpiredChanges[] = [];
    const turns = createCursorTurns({
      ...{ redis: room.redis(), shards: room.shards(), reader: createLogReader(store), now: Date.now },
      ...{ cursors: store.webhookCursors, messages: store.webhookMessages, requests: store.webhookRequests },
      ...{ onUnpublished: () => {}, onError: () => {}, onExpired: (one) => reported.push(one) },
    });
    const [turn] = await turns.claim({ shard: 0, limit: 1, perTurn: 10 });
    if (turn === undefined) throw new Error('nothing is due');
    expect(changeIds(turn)).to.deep.equal(['c1']);
    return reported;
  }

  it('is reported at the end of a pause, and goes on with what is kept', async () => {
    const [expired, ...more] = await claimed(2);
    expect(more).to.deep.equal([]);
    expect(expired?.subscriptionId).to.equal(room.subscription().subscription_id);
    expect(expired?.since).to.be.closeTo(Date.now() - 40 * DAY_MS, 60_000);
    expect(expired?.until).to.be.closeTo(Date.now() - 30 * DAY_MS, 60_000);
  });

  it('has read all of an account without changes since, if nothing was paused and nothing fails', async () => {
    expect(await claimed()).to.deep.equal([]);
  });
});
