import { conversationId } from '@sluice/contract/conversation-id';
import type { Outcome } from '@sluice/contract/delivery';
import type { AdmittedConversation } from '@sluice/contract/groups';
import type { ConversationMessages } from '@sluice/store/conversation-messages';
import type { Conversations } from '@sluice/store/conversations';
import type { Teller } from '@sluice/telling/teller';
import { type ConversationWork, type FoldedWork, foldWork, messagesOf } from './fold-work.ts';

export interface ApplyConversationsDeps {
  readonly conversations: Pick<Conversations, 'loadConversations' | 'writeConversations'>;
  readonly messages: Pick<ConversationMessages, 'putMessages'>;
  readonly teller: Pick<Teller, 'told'>;
  /** Waits longer with each round, so that racing writers do not stay in step. */
  readonly backoff: (round: number) => Promise<void>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** The result of one action. */
export interface ConversationApplied {
  readonly conversation_id: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
}

export interface ConversationsResult {
  /** The result of `action`, which must be part of the group. */
  of(action: AdmittedConversation): ConversationApplied;
  readonly rounds: number;
}

export type ApplyConversations = (actions: readonly AdmittedConversation[]) => Promise<ConversationsResult>;

/**
 * Applies actions: one find and one bulk write for the conversations, and the same for their messages. Idempotent: applying a
 * group again changes nothing and reports the same outcomes. A conversation is written before its messages. A job that dies in
 * between is retried, and stores them.
 */
export function createApplyConversations(deps: ApplyConversationsDeps): ApplyConversations {
  const { conversations, messages, teller, backoff, now } = deps;
  return async (actions) => {
    const results = new Map<string, ConversationApplied>();
    const note = (conversation_id: string, sequence: number, outcome: Outcome, reason: string | null) =>
      results.set(`${conversation_id} ${sequence}`, { conversation_id, outcome, reason });
    let pending = planWork(actions);
    let rounds = 0;
    while (pending.length > 0) {
      rounds += 1;
      const stored = await conversations.loadConversations(pending.map((work) => work.conversation_id));
      const folded = pending.map((work) => foldWork(work, stored.get(work.conversation_id), now()));
      const writes = folded.flatMap(({ write }) => write ?? []);
      const written = writes.length === 0 ? [] : await conversations.writeConversations(writes);
      const resultOf = new Map(writes.map((write, index) => [write, written[index]]));
      const done: FoldedWork[] = [];
      pending = [];
      for (const one of folded) {
        const result = one.write === null ? undefined : resultOf.get(one.write);
        if (result?.status === 'lost_race') pending.push(one.work);
        else if (result?.status === 'rejected')
          for (const { sequence } of one.work.actions)
            note(one.work.conversation_id, sequence, 'failed', result.reason);
        else done.push(one);
      }
      await messages.putMessages(done.flatMap(({ work }) => messagesOf(work)));
      for (const { work, outcomes, write } of done) {
        for (const [sequence, outcome] of outcomes) note(work.conversation_id, sequence, outcome, null);
        if (write !== null && write.changes.length > 0)
          teller.told({
            collection: 'conversations',
            id: work.conversation_id,
            account_id: write.conversation.account_id,
            changes: write.changes,
          });
      }
      if (pending.length > 0) await backoff(rounds);
    }
    return {
      of(action) {
        const found = results.get(`${conversationIdOf(action)} ${action.sequence}`);
        if (found === undefined) throw new Error(`delivery ${action.delivery_id} was not part of the group`);
        return found;
      },
      rounds,
    };
  };
}

/** The id of the conversation that an action changes. */
export function conversationIdOf({ source_id, action }: AdmittedConversation): string {
  return conversationId(source_id, action.conversation.external_id);
}

/** Groups actions by conversation, in the order of their sequence numbers, each number once. */
function planWork(actions: readonly AdmittedConversation[]): ConversationWork[] {
  const byId = new Map<string, Map<number, AdmittedConversation>>();
  for (const action of actions) {
    const id = conversationIdOf(action);
    const siblings = byId.get(id) ?? new Map<number, AdmittedConversation>();
    byId.set(id, siblings.set(action.sequence, action));
  }
  return Array.from(byId, ([conversation_id, siblings]) => ({
    conversation_id,
    actions: [...siblings.values()].sort((a, b) => a.sequence - b.sequence),
  }));
}
