import { newId } from '@sluice/credentials/ids';
import { type ChangedPage, changedOrder, changedSince } from '@sluice/store/changed-since';
import type { ConversationMessage } from '@sluice/store/conversations/conversation-document';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { until } from '../support/until.ts';
import { useStore } from './support.ts';

const RECORDS = 300;
const LIMIT = 5;

type Document = mongo.Document & { _id: string };

describe('store: records listed in the order of their changes', function () {
  this.timeout(60_000);
  const used = useStore();

  const message = (
    conversation_id: string,
    number: number,
    more: Partial<ConversationMessage> = {},
  ): ConversationMessage => ({
    ...{ message_id: newId('cmsg'), conversation_id, account_id: 'acc_1', external_id: `m-${number}` },
    ...{ author: 'visitor', author_name: null, text: `Message ${number}` },
    ...{ sent_at: 1000 + number, sent_at_known: true, sequence: number, first_sequence: number },
    ...{ delivery: null, delivery_reason: null, ...more },
  });
  const row = (subscription_id: string, number: number, more: Partial<AttemptRow> = {}): AttemptRow => ({
    ...{ message_id: newId('sub'), account_id: 'acc_1', subscription_id, change_id: `change_${number}` },
    ...{ kind: 'lead.updated', record_id: 'lead_1', status: 'pending', next_attempt_at: null },
    ...{ created_at: 1000 + number, ...more },
    attempt: {
      ...{ id: `a${number}`, at: 2000, duration_ms: 5, code: 'server_error', status: 500 },
      ...{ sentence: 'It answered 500.', response: 'about Ada', redelivery: false },
    },
  });

  /** Both collections, each with the field that names a list and with many records. */
  const lists = [
    [
      'conversation_messages',
      { conversation_id: 'conv_many' },
      () =>
        used.store.conversationMessages.writeMessages(
          Array.from({ length: RECORDS }, (_, n) => ({
            message: message('conv_many', n),
            before: undefined,
          })),
        ),
    ],
    [
      'webhook_messages',
      { subscription_id: 'sub_many' },
      () =>
        used.store.webhookMessages.logAttempts(Array.from({ length: RECORDS }, (_, n) => row('sub_many', n))),
    ],
  ] as const;

  for (const [name, equal, fill] of lists) {
    const stored = () => used.mongo.db.collection<Document>(name);
    const cursorOf = (page: Omit<ChangedPage, 'limit'>) =>
      stored()
        .find(changedSince<Document>(equal as mongo.Filter<Document>, page))
        .sort(changedOrder(page))
        .limit(LIMIT);
    const explain = async (page: Omit<ChangedPage, 'limit'>) => {
      const explained = await cursorOf(page).explain('executionStats').catch(notExplained);
      return (
        explained && {
          plan: JSON.stringify(explained.queryPlanner.winningPlan),
          read: explained.executionStats.totalKeysExamined as number,
        }
      );
    };

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
        const explained = await explain(page);
        // Some engines have no planner.
        if (explained === undefined) continue;
        expect(explained.plan).not.to.contain('COLLSCAN');
        expect(explained.plan).not.to.contain('"SORT"');
        // The record after which a page begins is read too.
        expect(explained.read, JSON.stringify(page)).to.be.at.most(LIMIT + 1);
      }
    });

    it(`leaves out records of ${name} that only earlier versions have written`, async () => {
      await stored().updateMany(equal as mongo.Filter<Document>, { $unset: { updated_at: 1 } });
      const filter = changedSince<Document>(equal as mongo.Filter<Document>, { descending: false });
      expect(await stored().countDocuments(filter)).to.equal(0);
    });
  }

  it('reads only failed messages for a list of them by change, by an index of those that are not delivered', async () => {
    const { webhookMessages } = used.store;
    const of = (n: number) => row('sub_failed', n, { status: n < LIMIT ? 'failed' : 'delivered' });
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
    const explained = await stored
      .find(filter)
      .sort(changedOrder(query))
      .limit(LIMIT + 1)
      .explain('executionStats')
      .catch(notExplained);
    if (explained === undefined) return;
    expect(explained.executionStats.totalKeysExamined).to.be.at.most(LIMIT + 1);
  });

  it('moves no time back, also if the clock of a machine is behind', async () => {
    const ahead = new Date(Date.now() + 3_600_000);
    const before = message('conv_ahead', 1, { delivery: 'pending' });
    await used.store.conversationMessages.writeMessages([{ message: before, before: undefined }]);
    const logged = row('sub_ahead', 1);
    await used.store.webhookMessages.logAttempts([logged]);
    for (const name of ['conversation_messages', 'webhook_messages'])
      await used.mongo.db
        .collection(name)
        .updateMany(
          { $or: [{ conversation_id: 'conv_ahead' }, { subscription_id: 'sub_ahead' }] },
          { $set: { updated_at: ahead } },
        );
    const times = async () => {
      const since = { descending: false, updatedSince: ahead.getTime(), limit: 10 };
      const [messages, rows] = [
        await used.store.conversationMessages.pageChangedMessages('conv_ahead', since),
        await used.store.webhookMessages.pageChangedMessages({ subscription_id: 'sub_ahead', ...since }),
      ];
      return [...messages.items, ...rows].map(({ updated_at }) => updated_at);
    };
    const both = [ahead.getTime(), ahead.getTime()];
    const edited = { ...before, text: 'Edited', sequence: 2 };
    await used.store.conversationMessages.writeMessages([{ message: edited, before }]);
    await used.store.webhookMessages.logAttempts([{ ...logged, attempt: { ...logged.attempt, id: 'a2' } }]);
    expect(await times()).to.deep.equal(both);
    await used.store.conversationMessages.settleReply(before.message_id, 'failed', 'It answered 500.');
    await used.store.webhookMessages.eraseRecords('acc_1', ['lead_1']);
    expect(await times()).to.deep.equal(both);
  });

  it('knows of each write that is under way, in every process', async () => {
    const quiet = () => until(async () => (await used.store.leadSegments.oldest()) === undefined);
    const seen = new Map<string, number | undefined>();
    const { Collection } = mongo;
    const { insertMany, bulkWrite, updateOne, updateMany } = Collection.prototype;
    const all = { insertMany, bulkWrite, updateOne, updateMany };
    await used.store.conversationMessages.writeMessages([
      { message: message('conv_deleted', 1, { delivery: 'pending' }), before: undefined },
    ]);
    let step = '';
    for (const [name, run] of Object.entries(all))
      Object.assign(Collection.prototype, {
        async [name](this: { collectionName: string }, ...wanted: never[]) {
          if (/messages$/.test(this.collectionName)) seen.set(step, await used.store.leadSegments.oldest());
          return (run as (...wanted: never[]) => Promise<unknown>).apply(this, wanted);
        },
      });
    const { conversationMessages, deletedConversations, webhookMessages } = used.store;
    const reply = message('conv_way', 1, { delivery: 'pending' });
    const id = reply.message_id;
    const began = Date.now();
    const steps: Record<string, () => Promise<unknown>> = {
      write: () => conversationMessages.writeMessages([{ message: reply, before: undefined }]),
      settle: () => conversationMessages.settleReply(id, 'failed', 'It answered 500.'),
      fail: () => conversationMessages.failReplies([id], 'No reply URL.'),
      failAll: () =>
        deletedConversations.failReplies({ account_id: 'acc_1', source_id: 'chn_1' }, 'Deleted.'),
      log: () => webhookMessages.logAttempts([row('sub_way', 1)]),
      discard: () => webhookMessages.logDiscarded([row('sub_way', 2)]),
      erase: () => webhookMessages.eraseRecords('acc_1', ['lead_1']),
    };
    try {
      for (const [name, run] of Object.entries(steps)) {
        await quiet();
        step = name;
        await run();
      }
    } finally {
      Object.assign(Collection.prototype, all);
    }
    expect([...seen.keys()]).to.have.members(Object.keys(steps));
    for (const [name, at] of seen) expect(at, name).to.be.within(began, Date.now());
  });
});

function notExplained(error: mongo.MongoServerError): undefined {
  const COMMAND_NOT_FOUND = 59;
  if (error.code !== COMMAND_NOT_FOUND) throw error;
  return undefined;
}
