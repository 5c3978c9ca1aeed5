import { type ChangedPage, changedOrder, changedSince } from '@sluice/store/changed-since';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { attemptRow, explained, storedMessage, useStore } from './support.ts';

const RECORDS = 300;
const LIMIT = 5;

type Document = mongo.Document & { _id: string };

describe('store: records listed in the order of their changes', function () {
  this.timeout(60_000);
  const used = useStore();

  /** Both collections, each with the field that names a list and with many records. */
  const lists = [
    [
      'conversation_messages',
      { conversation_id: 'conv_many' },
      () =>
        used.store.conversationMessages.writeMessages(
          Array.from({ length: RECORDS }, (_, n) => ({
            message: storedMessage('conv_many', n),
            before: undefined,
          })),
        ),
    ],
    [
      'webhook_messages',
      { subscription_id: 'sub_many' },
      () =>
        used.store.webhookMessages.logAttempts(
          Array.from({ length: RECORDS }, (_, n) => attemptRow('sub_many', n)),
        ),
    ],
  ] as const;

  for (const [name, equal, fill] of lists) {
    const stored = () => used.mongo.db.collection<Document>(name);
    const cursorOf = (page: Omit<ChangedPage, 'limit'>) =>
      stored()
        .find(changedSince<Document>(equal as mongo.Filter<Document>, page))
        .sort(changedOrder(page))
        .limit(LIMIT);
    it(`reads at most a page of ${name}, by its index`, async () => {
      await fill();
      // Their times are those of a few milliseconds, so they are spread.
      const ids = (
        await stored()
          .find(equal as mongo.Filter<Document>)
          .toArray()
      ).map(({ _id }) => _id);
      await stored().bulkWrite(
        ids.map((_id, n) => ({
          updateOne: { filter: { _id }, update: { $set: { updated_at: new Date(n) } } },
        })),
      );
      const middle = { at: 150, id: ids[150] as string };
      const pages: readonly (readonly [Omit<ChangedPage, 'limit'>, readonly number[]])[] = [
        [{ descending: false }, [0, 1, 2, 3, 4]],
        [{ descending: true }, [299, 298, 297, 296, 295]],
        [{ descending: false, updatedSince: 100 }, [100, 101, 102, 103, 104]],
        [{ descending: true, updatedSince: 298 }, [299, 298]],
        [{ descending: false, updatedSince: 100, after: middle }, [151, 152, 153, 154, 155]],
        [{ descending: true, updatedSince: 147, after: middle }, [149, 148, 147]],
      ];
      for (const [page, times] of pages) {
        const found = await cursorOf(page).toArray();
        expect(found.map(({ updated_at }) => updated_at.getTime())).to.deep.equal(times);
        const done = await explained(cursorOf(page), 'executionStats');
        if (done === undefined) continue;
        const plan = JSON.stringify(done.queryPlanner.winningPlan);
        expect(plan).not.to.contain('COLLSCAN').and.not.to.contain('"SORT"');
        // The record after which a page begins is read too.
        expect(done.executionStats.totalKeysExamined, JSON.stringify(page)).to.be.at.most(LIMIT + 1);
      }
    });
  }

  it('reads only failed messages for a list of them by change, by an index of those that are not delivered', async () => {
    const { webhookMessages } = used.store;
    const of = (n: number) => attemptRow('sub_failed', n, { status: n < LIMIT ? 'failed' : 'delivered' });
    await webhookMessages.logAttempts(Array.from({ length: RECORDS }, (_, n) => of(n)));
    const { find } = mongo.Collection.prototype;
    let filter: mongo.Filter<mongo.Document> = {};
    mongo.Collection.prototype.find = function (this: mongo.Collection, ...wanted: Parameters<typeof find>) {
      filter = wanted[0];
      return find.apply(this, wanted);
    } as typeof find;
    const query = {
      subscription_id: 'sub_failed',
      status: 'failed',
      descending: false,
      limit: LIMIT + 1,
    } as const;
    const found = await webhookMessages.pageChangedMessages(query).finally(() => {
      mongo.Collection.prototype.find = find;
    });
    expect(found.map(({ status }) => status)).to.deep.equal(Array(LIMIT).fill('failed'));
    const stored = used.mongo.db.collection('webhook_messages');
    const index = (await stored.listIndexes().toArray()).find(
      ({ key }) => Object.keys(key).join() === 'subscription_id,status,updated_at,_id',
    );
    // MongoDB uses a partial index only for a filter that has its condition.
    expect(index?.partialFilterExpression).to.deep.equal({ undelivered: { $exists: true } });
    expect(JSON.stringify(filter)).to.include('"undelivered":{"$exists":true}');
    const cursor = stored
      .find(filter)
      .sort(changedOrder(query))
      .limit(LIMIT + 1);
    const done = await explained(cursor, 'executionStats');
    if (done === undefined) return;
    expect(done.executionStats.totalKeysExamined).to.be.at.most(LIMIT + 1);
  });
});
