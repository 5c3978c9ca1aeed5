import { applyConversations } from '@sluice/conversations/apply-conversations';
import { conversationIdOf } from '@sluice/conversations/fold-conversation';
import { createRaceBackoff } from '@sluice/runtime/timing/backoff';
import type { ConversationPage } from '@sluice/store/conversations/conversations';
import { expect } from 'chai';
import fc from 'fast-check';
import { useStore } from '../store/support.ts';
import { sized } from '../support/size.ts';

const RUNS = sized({ short: 25, middle: 100 });
const sort = fc.constantFrom('created_at', '-created_at', 'updated_at');
/** The writes between two pages: a new conversation, or a message of one that exists, which may come late. */
const write = fc.oneof(
  fc.constant({ creates: true, which: 0, lateMs: 0 }),
  fc.record({ creates: fc.constant(false), which: fc.nat(20), lateMs: fc.constantFrom(0, 5, 60_000) }),
);
const writes = fc.array(write, { maxLength: 4 });
let accounts = 0;

describe('a list of conversations that is read page by page during writes', () => {
  const used = useStore();

  /** Sends messages of one account. Times grow by a millisecond, and several conversations may share one. */
  function sender() {
    const account_id = `acc_list_${++accounts}`;
    let now = 1_795_000_000_000;
    let messages = 0;
    const deps = {
      ...used.store,
      tell: () => undefined,
      linkSoon: () => undefined,
      backoff: createRaceBackoff(),
      now: () => now,
    };
    return {
      account_id,
      async send(external_id: string, lateMs: number): Promise<string> {
        if (messages % 3 === 0) now += 1;
        const received_at = now - lateMs;
        const text = `Message ${++messages}`;
        const admitted = {
          ...{
            account_id,
            source_id: `chn_${account_id}`,
            sequence: received_at * 1000 + messages,
            received_at,
          },
          action: {
            kind: 'message' as const,
            conversation: { external_id },
            message: { external_id: text, author: 'visitor' as const, text },
          },
        };
        await applyConversations(deps, [admitted]);
        return conversationIdOf(admitted);
      },
    };
  }

  it('shows each one that existed throughout: once by created_at, at least once by ascending updated_at', async () => {
    const run = fc.asyncProperty(
      sort,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 8 }),
      fc.array(writes, { maxLength: 8 }),
      async (order, limit, count, between) => {
        const { account_id, send } = sender();
        const ids: string[] = [];
        const create = async () => void ids.push(await send(`c-${ids.length}`, 0));
        for (let i = 0; i < count; i++) await create();
        const throughout = [...ids];
        const seen: string[] = [];
        let after: ConversationPage['after'];
        for (let page = 0; ; page++) {
          const query = { sort: order as ConversationPage['sort'], limit, ...(after && { after }) };
          const listed = await used.store.conversations.pageConversations({ account_id }, query);
          seen.push(...listed.items.map(({ conversation_id }) => conversation_id));
          const last = listed.items.at(-1);
          if (!listed.more || last === undefined) break;
          const at = order === 'updated_at' ? last.updated_at : last.created_at;
          after = { at, conversation_id: last.conversation_id };
          for (const { creates, which, lateMs } of between[page] ?? []) {
            if (creates) await create();
            else await send(`c-${which % ids.length}`, lateMs);
          }
        }
        for (const id of throughout) {
          const times = seen.filter((one) => one === id).length;
          if (order === 'updated_at') expect(times, id).to.be.at.least(1);
          else expect(times, id).to.equal(1);
        }
      },
    );
    await fc.assert(run, { numRuns: RUNS });
  }).timeout(120_000);
});
