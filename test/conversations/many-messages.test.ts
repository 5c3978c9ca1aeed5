import { connectStore, type Store } from '@sluice/store/connect';
import type { ConversationMessage } from '@sluice/store/conversations/conversation-document';
import type { MessagePage } from '@sluice/store/conversations/conversation-messages';
import { expect } from 'chai';
import { openTestMongo, type TestMongo } from '../support/mongo-server.ts';
import { sized } from '../support/size.ts';

const MESSAGES = sized({ short: 10_000, long: 100_000 });
const LIMIT = 200;
const BATCH = 1000;

describe('a conversation with many messages', function () {
  this.timeout(sized({ short: 120_000, long: 600_000 }));
  let mongo: TestMongo;
  let store: Store;
  before(async () => {
    mongo = await openTestMongo('many-messages');
    store = connectStore({ url: mongo.url, namespace: 'unused' });
    await store.opened();
    await store.ensureIndexes();
    for (let from = 0; from < MESSAGES; from += BATCH)
      await store.conversationMessages.writeMessages(
        Array.from({ length: BATCH }, (_, i) => ({ message: messageOf(from + i), before: undefined })),
      );
  });
  after(async () => {
    await store?.close();
    await mongo?.close();
  });

  /** Three messages share an instant, so that the order by sequence counts. */
  const messageOf = (n: number): ConversationMessage => ({
    ...{
      message_id: `cmsg_${n}`,
      conversation_id: 'conv_many',
      account_id: 'acc_many',
      external_id: `m-${n}`,
    },
    ...{ author: 'visitor', author_name: null, text: `Message number ${n}. ${'x'.repeat(80)}` },
    ...{ sent_at: 1_795_000_000_000 + Math.floor(n / 3), sent_at_known: true },
    ...{ sequence: 1000 + n, first_sequence: 1000 + n, delivery: null, delivery_reason: null },
  });

  for (const descending of [false, true])
    it(`pages evenly, each message once and in order, ${descending ? 'newest' : 'oldest'} first`, async () => {
      const took: number[] = [];
      let read = 0;
      let after: MessagePage['after'];
      for (let more = true; more; ) {
        const from = performance.now();
        const page = await store.conversationMessages.pageMessages('conv_many', {
          ...{ descending, limit: LIMIT, ...(after && { after }) },
        });
        took.push(performance.now() - from);
        for (const { message_id } of page.items) {
          expect(message_id).to.equal(`cmsg_${descending ? MESSAGES - 1 - read : read}`);
          read += 1;
        }
        after = page.items.at(-1);
        more = page.more;
      }
      expect(read).to.equal(MESSAGES);
      const tenth = Math.ceil(took.length / 10);
      const [first, last] = [median(took.slice(0, tenth)), median(took.slice(-tenth))];
      expect(last, 'the last pages').to.be.below(4 * first + 10);
    });
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
