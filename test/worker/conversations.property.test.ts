import { CONVERSATION_ACTION_KINDS, type ConversationAction } from '@sluice/contract/conversation-action';
import { type ConversationState, NO_CONVERSATION, statusOf } from '@sluice/contract/conversation-state';
import type { AdmittedConversation } from '@sluice/contract/groups';
import { foldConversation } from '@sluice/conversations/fold-conversation';
import { messagesOf } from '@sluice/conversations/fold-work';
import type { StoredMessage } from '@sluice/store/conversation-document';
import { mergedMessage } from '@sluice/store/conversation-messages';
import { assert, expect } from 'chai';
import fc from 'fast-check';

interface Numbered {
  readonly action: ConversationAction;
  readonly sequence: number;
}

const RUNS = { numRuns: 1000 };
const message = fc.record(
  {
    external_id: fc.constantFrom('m1', 'm2', 'm3'),
    author: fc.constantFrom('visitor' as const, 'bot' as const, 'agent' as const),
    text: fc.constantFrom('a', 'b', 'c'),
    sent_at: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: ['external_id', 'author', 'text'] },
);
const conversation = fc.record(
  {
    external_id: fc.constant('c'),
    subject: fc.constantFrom('s1', 's2'),
    contact: fc.record({ email: fc.constantFrom('a@x', 'b@x') }),
    session: fc.constantFrom([['k', 1]] as const, [['k', 2]] as const),
  },
  { requiredKeys: ['external_id'] },
);
const action = fc
  .record(
    { kind: fc.constantFrom(...CONVERSATION_ACTION_KINDS), conversation, message },
    { requiredKeys: ['kind', 'conversation'] },
  )
  .filter((one) => one.kind !== 'message' || one.message !== undefined) as fc.Arbitrary<ConversationAction>;

/** A history in order, and its actions in another order, some of them repeated. */
const disorder = fc
  .array(action, { minLength: 1, maxLength: 12 })
  .map((actions): Numbered[] => actions.map((one, index) => ({ action: one, sequence: (index + 1) * 1000 })))
  .chain((history) =>
    fc
      .array(fc.constantFrom(...history), { maxLength: 6 })
      .chain((repeated) => {
        const all = [...history, ...repeated];
        return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
      })
      .map((shuffled) => ({ history, shuffled })),
  );

function foldAll(actions: readonly Numbered[]): ConversationState {
  return actions.reduce(
    (state, { action: one, sequence }) =>
      foldConversation(state, {
        action: one,
        sequence,
        channel_id: 'chn_1',
        message_id: one.message?.external_id ?? null,
      }),
    NO_CONVERSATION,
  );
}

function setOf(actions: readonly Numbered[]): Record<string, StoredMessage> {
  const admitted = actions.map((one) => ({ ...one, account_id: 'acc_1' }) as unknown as AdmittedConversation);
  const set: Record<string, StoredMessage> = {};
  for (const one of messagesOf({ conversation_id: 'conv_1', actions: admitted }))
    set[one.message_id] = mergedMessage(set[one.message_id], one);
  return set;
}

describe('the fold of a conversation', () => {
  it('ends in the in-order state for any order and any repetition of the same actions', () => {
    fc.assert(
      fc.property(disorder, ({ history, shuffled }) => {
        assert.deepEqual(foldAll(shuffled), foldAll(history));
      }),
      RUNS,
    );
  });

  it('ends in the same set of messages for any order and any repetition', () => {
    fc.assert(
      fc.property(disorder, ({ history, shuffled }) => {
        assert.deepEqual(setOf(shuffled), setOf(history));
      }),
      RUNS,
    );
  });

  it('has the status of the last state action, unless a newer message reopens a closed conversation', () => {
    const status = {
      open: 'open',
      request_handoff: 'handoff_requested',
      accept_handoff: 'handoff_active',
      end_handoff: 'open',
      close: 'closed',
    } as const;
    fc.assert(
      fc.property(disorder, ({ history, shuffled }) => {
        const last = history.findLast(({ action: { kind } }) => kind !== 'message');
        const kind = (last?.action.kind ?? 'open') as keyof typeof status;
        const spoken = history.findLast((one) => one.action.message !== undefined)?.sequence ?? 0;
        const reopened = kind === 'close' && spoken > (last?.sequence ?? 0);
        expect(statusOf(foldAll(shuffled))).to.equal(reopened ? 'open' : status[kind]);
      }),
      RUNS,
    );
  });
});
