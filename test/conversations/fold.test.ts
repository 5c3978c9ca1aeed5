import type {
  ConversationAction,
  ConversationActionKind,
} from '@sluice/contract/conversation/conversation-action';
import { CONVERSATION_ACTION_KINDS } from '@sluice/contract/conversation/conversation-action';
import {
  type Admitted,
  type FoldedConversation,
  foldConversation,
  foldMessage,
  messageOf,
} from '@sluice/conversations/fold-conversation';
import type { ConversationMessage } from '@sluice/store/conversations/conversation-document';
import { expect } from 'chai';
import fc from 'fast-check';

const START = 1_795_000_000_000_000;

function admitted(
  at: number,
  action: Partial<ConversationAction> & { kind: ConversationActionKind },
): Admitted {
  return {
    account_id: 'acc_1',
    source_id: 'chn_1',
    sequence: START + at,
    received_at: (START + at) / 1000,
    action: { conversation: { external_id: 'c-1' }, ...action },
  };
}

function fold(actions: readonly Admitted[]): FoldedConversation | undefined {
  let folded: FoldedConversation | undefined;
  for (const one of actions) folded = foldConversation(folded, one);
  return folded;
}

function foldMessages(actions: readonly Admitted[]): ConversationMessage[] {
  const messages = new Map<string, ConversationMessage>();
  for (const message of actions.map(messageOf)) {
    if (message === undefined) continue;
    messages.set(message.message_id, foldMessage(messages.get(message.message_id), message));
  }
  return [...messages.values()].sort((a, b) => (a.message_id < b.message_id ? -1 : 1));
}

const message = (external_id: string) => ({ external_id, author: 'visitor', text: external_id }) as const;

const actions: fc.Arbitrary<Admitted[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...CONVERSATION_ACTION_KINDS),
      subject: fc.option(fc.constantFrom('One', 'Two'), { nil: undefined }),
      text: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
      sent: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
      reply: fc.boolean(),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((all) =>
    all.map(({ kind, subject, text, sent, reply }, index) =>
      admitted(index * 1000, {
        kind,
        conversation: { external_id: 'c-1', ...(subject !== undefined && { subject }) },
        ...((text !== undefined || kind === 'message') && {
          message: {
            external_id: text ?? 'a',
            author: reply ? 'agent' : 'visitor',
            text: `${text} ${index}`,
            ...(sent !== undefined && { sent_at: 1_795_000_000_000 + sent }),
            ...(reply && { reply: true as const }),
          },
        }),
      }),
    ),
  );

describe('conversations: the fold', () => {
  it('gives the same conversation and messages for every order and repetition of the same actions', () => {
    fc.assert(
      fc.property(
        actions.chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length, maxLength: 2 * all.length }),
          ),
        ),
        ([inOrder, shuffled]) => {
          expect(fold(shuffled)).to.deep.equal(fold(inOrder));
          const ours = foldMessages(shuffled).map(({ delivery: _, ...rest }) => rest);
          expect(ours).to.deep.equal(foldMessages(inOrder).map(({ delivery: _, ...rest }) => rest));
        },
      ),
    );
  });

  it('follows the state action with the highest sequence number', () => {
    const states = (kinds: readonly ConversationActionKind[]) =>
      fold(kinds.map((kind, index) => admitted(index, { kind })))?.status;
    expect(states(['open'])).to.equal('open');
    expect(states(['open', 'request_handoff'])).to.equal('handoff_requested');
    expect(states(['request_handoff', 'accept_handoff'])).to.equal('handoff_active');
    expect(states(['accept_handoff', 'end_handoff'])).to.equal('open');
    expect(states(['accept_handoff', 'close'])).to.equal('closed');
    expect(states(['close', 'accept_handoff'])).to.equal('handoff_active');
  });

  it('opens a closed conversation again by a newer message, and not by an older one', () => {
    const close = admitted(5, { kind: 'close', message: message('bye') });
    expect(fold([close])?.status).to.equal('closed');
    expect(fold([close, admitted(4, { kind: 'message', message: message('late') })])?.status).to.equal(
      'closed',
    );
    expect(fold([close, admitted(6, { kind: 'message', message: message('new') })])?.status).to.equal('open');
  });

  it('opens a conversation by a message that was never opened', () => {
    const folded = fold([admitted(0, { kind: 'message', message: message('a') })]);
    expect(folded).to.include({
      status: 'open',
      account_id: 'acc_1',
      channel_id: 'chn_1',
      external_id: 'c-1',
    });
    expect(folded?.conversation_id).to.match(/^conv_[0-9a-f]{32}$/);
  });

  it('previews the newest message by the time it was sent, with 200 characters', () => {
    const sent = (id: string, sent_at: number) => ({ ...message(id), sent_at });
    const folded = fold([
      admitted(1, { kind: 'message', message: sent('new', 1_795_000_000_900) }),
      admitted(2, { kind: 'message', message: sent('old', 1_795_000_000_100) }),
    ]);
    expect(folded?.last_message?.text).to.equal('new');
    const long = fold([
      admitted(1, { kind: 'message', message: { ...message('x'), text: '😀'.repeat(300) } }),
    ]);
    expect(long?.last_message?.text).to.equal('😀'.repeat(200));
  });

  it('keeps that a message is a reply, when the channel sends it back', () => {
    const reply = { ...message('r'), author: 'agent', reply: true } as const;
    const back = { ...message('r'), author: 'agent', text: 'as shown' } as const;
    const [folded] = foldMessages([
      admitted(1, { kind: 'message', message: reply }),
      admitted(2, { kind: 'message', message: back }),
    ]);
    expect(folded).to.include({ delivery: 'pending', text: 'as shown' });
  });
});
