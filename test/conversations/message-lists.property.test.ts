import { newId } from '@sluice/credentials/ids';
import type { ConversationMessage } from '@sluice/store/conversations/conversation-document';
import { expect } from 'chai';
import fc from 'fast-check';
import { useStore } from '../store/support.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';

const RUNS = sized({ short: 25, middle: 100 });
/** A new message, another text of a message, or the end of a reply. A number selects one of those that exist. */
const write = fc.oneof(
  fc.constant({ kind: 'add' as const, which: 0 }),
  fc.record({ kind: fc.constantFrom('edit' as const, 'settle' as const), which: fc.nat(20) }),
);
const writes = fc.array(write, { maxLength: 4 });
type Write = typeof write extends fc.Arbitrary<infer One> ? One : never;

describe('a list of messages that have changed', () => {
  const used = useStore();

  /** A conversation. Its messages were sent at different instants: an edit moves a message among those of the same one. */
  function thread() {
    const conversation_id = newId('conv');
    const messages: ConversationMessage[] = [];
    const put = async (message: ConversationMessage, before: ConversationMessage | undefined) => {
      const written = await used.store.conversationMessages.writeMessages([{ message, before }]);
      expect(written).to.equal('written');
    };
    return {
      conversation_id,
      messages,
      /** Returns the id of the message that it wrote. */
      async write({ kind, which }: Write): Promise<string> {
        const index = which % Math.max(1, messages.length);
        const before = kind === 'add' ? undefined : messages[index];
        if (before === undefined) {
          const number = messages.length + 1;
          const message: ConversationMessage = {
            ...{
              message_id: newId('cmsg'),
              conversation_id,
              account_id: 'acc_1',
              external_id: `m-${number}`,
            },
            ...{
              author: 'agent',
              author_name: null,
              text: 'Hello',
              delivery: 'pending',
              delivery_reason: null,
            },
            ...{ sent_at: 1000 + number, sent_at_known: true },
            ...{ sequence: number, first_sequence: number },
          };
          await put(message, undefined);
          messages.push(message);
          return message.message_id;
        }
        if (kind === 'edit') {
          const edited = { ...before, text: `${before.text}!`, sequence: before.sequence + 1000 };
          await put(edited, before);
          messages[index] = edited;
        } else if (before.delivery !== 'delivered') {
          await used.store.conversationMessages.settleReply(before.message_id, 'delivered', null);
          messages[index] = { ...before, delivery: 'delivered' };
        }
        return before.message_id;
      },
    };
  }

  it('has since an instant what has changed from then on, and nothing else', async () => {
    const run = fc.asyncProperty(fc.integer({ min: 1, max: 6 }), writes, async (count, later) => {
      const { conversation_id, messages, write: put } = thread();
      for (let i = 0; i < count; i++) await put({ kind: 'add', which: 0 });
      const settled = new Set<string>();
      const since = Date.now() + 1;
      await until(() => Date.now() >= since);
      const changed = new Set<string>();
      for (const one of later) {
        const which = messages[one.which % messages.length] as ConversationMessage;
        // A reply that has ended does not end again.
        if (one.kind === 'settle' && settled.has(which.message_id)) continue;
        if (one.kind === 'settle') settled.add(which.message_id);
        changed.add(await put(one));
      }
      const wanted = { descending: false, updatedSince: since, limit: 100 };
      const { items } = await used.store.conversationMessages.pageChangedMessages(conversation_id, wanted);
      expect(items.map(({ message_id }) => message_id)).to.have.members([...changed]);
      const sent = await used.store.conversationMessages.pageMessages(conversation_id, wanted);
      expect(sent.items.map(({ message_id }) => message_id)).to.have.members([...changed]);
    });
    await fc.assert(run, { numRuns: RUNS });
  }).timeout(120_000);
});
