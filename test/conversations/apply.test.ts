import type { ConversationAction } from '@sluice/contract/conversation/conversation-action';
import { type ApplyDeps, applyConversations } from '@sluice/conversations/apply-conversations';
import { conversationIdOf } from '@sluice/conversations/fold-conversation';
import { createRaceBackoff } from '@sluice/runtime/timing/backoff';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import { expect } from 'chai';
import { useStore } from '../store/support.ts';

let sequences = 1_795_000_000_000_000;

function admitted(external: string, action: Omit<ConversationAction, 'conversation'>) {
  sequences += 1000;
  return {
    account_id: 'acc_1',
    source_id: 'chn_1',
    sequence: sequences,
    received_at: sequences / 1000,
    action: { conversation: { external_id: external }, ...action },
  };
}
const say = (external: string, id: string) =>
  admitted(external, { kind: 'message', message: { external_id: id, author: 'visitor', text: id } });

describe('conversations: applying actions', () => {
  const used = useStore();
  let told: Conversation[];
  let deps: ApplyDeps;
  beforeEach(() => {
    told = [];
    deps = {
      ...used.store,
      tell: (one) => told.push(one),
      linkSoon: () => undefined,
      backoff: createRaceBackoff(),
      now: Date.now,
    };
  });

  it('keeps what changed in the write that changes it', async () => {
    await applyConversations(deps, [
      admitted('kept', {
        kind: 'request_handoff',
        message: { external_id: 'm', author: 'visitor', text: 'Hi' },
      }),
    ]);
    const [one] = told;
    expect(one?.untold.map(({ kind }) => kind)).to.deep.equal([
      'conversation.opened',
      'conversation.message_received',
      'conversation.handoff_requested',
    ]);
    const sequencesOf = one?.untold.map(({ sequence }) => sequence) ?? [];
    expect([...sequencesOf].sort((a, b) => a - b)).to.deep.equal(sequencesOf);
    expect(new Set(sequencesOf).size).to.equal(3);
  });

  it('publishes the changes of each action of a group, also if the last undoes the first', async () => {
    const kinds = async (...actions: Parameters<typeof applyConversations>[1]) => {
      const [applied] = await applyConversations(deps, actions);
      const { untold = [] } = applied?.conversation ?? {};
      return untold.map(({ kind, actor }) => `${kind} by ${actor.type}`);
    };
    const by = { type: 'member', id: 'usr_1', name: 'Grace' } as const;
    expect(
      await kinds(
        admitted('steps', { kind: 'open' }),
        admitted('steps', { kind: 'request_handoff' }),
        admitted('steps', { kind: 'accept_handoff', by }),
        admitted('steps', { kind: 'close', by }),
        say('steps', 'again'),
      ),
    ).to.deep.equal([
      'conversation.opened by source',
      'conversation.handoff_requested by source',
      'conversation.handoff_accepted by member',
      'conversation.handoff_ended by member',
      'conversation.closed by member',
      'conversation.message_received by source',
      'conversation.opened by source',
    ]);
    expect(
      await kinds(
        say('withdrawn', 'first'),
        admitted('withdrawn', { kind: 'request_handoff' }),
        admitted('withdrawn', { kind: 'end_handoff' }),
      ),
    ).to.deep.equal([
      'conversation.opened by source',
      'conversation.message_received by source',
      'conversation.handoff_requested by source',
      'conversation.handoff_ended by source',
    ]);
  });

  it('tells the end of a request that nobody accepted, and its acceptance where it is accepted', async () => {
    const kinds = async (external: string, ...actions: ConversationAction['kind'][]) => {
      const by = { type: 'member', id: 'usr_1', name: 'Grace' } as const;
      const [applied] = await applyConversations(
        deps,
        actions.map((kind) => admitted(external, { kind, by })),
      );
      return applied?.conversation.untold.map(({ kind }) => kind.replace('conversation.', ''));
    };
    const requested = ['opened', 'handoff_requested'];
    expect(await kinds('given up', 'request_handoff', 'end_handoff')).to.deep.equal([
      ...requested,
      'handoff_ended',
    ]);
    expect(await kinds('left', 'request_handoff', 'close')).to.deep.equal([
      ...requested,
      'handoff_ended',
      'closed',
    ]);
    expect(await kinds('taken', 'request_handoff', 'accept_handoff')).to.deep.equal([
      ...requested,
      'handoff_accepted',
    ]);
  });

  it('tells of an acceptance again only when another agent takes over', async () => {
    const accept = (id: string) =>
      admitted('handed on', { kind: 'accept_handoff', by: { type: 'member', id, name: null } });
    const [applied] = await applyConversations(deps, [accept('usr_1'), accept('usr_1'), accept('usr_2')]);
    expect(applied?.conversation.untold.map(({ kind, actor }) => `${kind} by ${actor.id}`)).to.deep.equal([
      'conversation.opened by usr_1',
      'conversation.handoff_accepted by usr_1',
      'conversation.handoff_accepted by usr_2',
    ]);
  });

  it('writes the audit entry of each action that names its doer once, however often it is applied', async () => {
    const doer = { actor: { user_id: 'usr_1', email: 'ada@example.com' }, address: '192.0.2.7' };
    const by = { type: 'member', id: 'usr_1', name: 'Ada' } as const;
    const reply = () =>
      admitted('audited', {
        kind: 'message',
        message: { external_id: 'r', author: 'agent', text: 'Hi', reply: true },
        ...{ by, doer },
      });
    // A reply that is sent twice at once is admitted twice.
    const actions = [
      say('audited', 'm'),
      admitted('audited', { kind: 'accept_handoff', by, doer }),
      ...[reply(), reply()],
      admitted('audited', { kind: 'end_handoff', by, doer }),
    ];
    const [first] = await applyConversations(deps, actions);
    await applyConversations(deps, actions);
    const { items } = await used.store.auditLog.pageEntries({ account_id: 'acc_1', limit: 10 });
    expect(items.map(({ action }) => action)).to.deep.equal([
      'conversation.handoff_ended',
      'conversation.replied',
      'conversation.accepted',
    ]);
    const id = first?.conversation.conversation_id;
    for (const item of items)
      expect(item).to.deep.include({ ...doer, target: { id, name: id }, detail: null });
  });

  it('changes nothing when the same actions are applied again, with the same outcomes', async () => {
    const actions = [say('again', 'a'), admitted('again', { kind: 'close' }), say('again', 'b')];
    const first = await applyConversations(deps, actions);
    const again = await applyConversations(deps, actions);
    expect(again.map(({ outcome }) => outcome)).to.deep.equal(first.map(({ outcome }) => outcome));
    expect(again[0]?.conversation.revision).to.equal(1);
    const id = conversationIdOf(actions[0] as (typeof actions)[number]);
    const page = await used.store.conversationMessages.pageMessages(id, { descending: false, limit: 10 });
    expect(page.items.map(({ text }) => text)).to.deep.equal(['a', 'b']);
  });

  it('writes the message after a crash behind the conversation, and keeps its change once', async () => {
    const action = say('crash', 'a');
    const dying = {
      ...deps,
      conversationMessages: {
        ...used.store.conversationMessages,
        writeMessages: () => Promise.reject(new Error('killed')),
      },
    };
    const failure = await applyConversations(dying, [action]).catch((error: Error) => error.message);
    expect(failure).to.equal('killed');
    const [applied] = await applyConversations(deps, [action]);
    expect(applied?.message?.text).to.equal('a');
    const kinds = applied?.conversation.untold.map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['conversation.opened', 'conversation.message_received']);
  });

  it('keeps every message that many writers add at once', async () => {
    const actions = Array.from({ length: 12 }, (_, index) => say('busy', `m${index}`));
    await Promise.all(actions.map((one) => applyConversations(deps, [one])));
    const id = conversationIdOf(actions[0] as (typeof actions)[number]);
    const page = await used.store.conversationMessages.pageMessages(id, { descending: false, limit: 100 });
    expect(page.items).to.have.length(12);
    const conversation = await used.store.conversations.findConversation('acc_1', id);
    const received = conversation?.untold.filter(({ kind }) => kind === 'conversation.message_received');
    expect(received).to.have.length(12);
  });

  it('pages the messages in both directions, each message once', async () => {
    const actions = Array.from({ length: 25 }, (_, index) => say('paged', `p${index}`));
    await applyConversations(deps, actions);
    const id = conversationIdOf(actions[0] as (typeof actions)[number]);
    for (const descending of [false, true]) {
      const texts: string[] = [];
      for (let after: { sent_at: number; sequence: number; message_id: string } | undefined; ; ) {
        const page = await used.store.conversationMessages.pageMessages(id, {
          descending,
          limit: 7,
          ...(after && { after }),
        });
        texts.push(...page.items.map(({ text }) => text));
        after = page.items.at(-1);
        if (!page.more) break;
      }
      const all = actions.map((one) => one.action.message?.text);
      expect(texts).to.deep.equal(descending ? all.toReversed() : all);
    }
  });
});
