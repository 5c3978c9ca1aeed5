import { isDeepStrictEqual } from 'node:util';
import { type Actor, nextSequence, type PendingChange } from '@sluice/contract/message/change';
import type { ConversationChangeKind } from '@sluice/contract/message/event-kinds';
import type { Conversation, ConversationMessage } from '@sluice/store/conversations/conversation-document';
import { describeConversation, describeMessage } from './describe-conversation.ts';

export interface Difference {
  /** Undefined: the conversation is new. */
  readonly before: Conversation | undefined;
  readonly after: Conversation;
  /** Messages that did not exist before, oldest first. */
  readonly messages: readonly ConversationMessage[];
  readonly actor: Actor;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Derives the changes for subscriptions, in the order in which they happened. */
export function pendingChanges({ before, after, messages, actor, at }: Difference): PendingChange[] {
  const record = describeConversation(after);
  const changes: { kind: ConversationChangeKind; data: object }[] = [
    ...(before === undefined ? [{ kind: 'conversation.opened' as const, data: record }] : []),
    ...messages.map((message) => ({
      kind:
        message.delivery === null
          ? ('conversation.message_received' as const)
          : ('conversation.reply' as const),
      data: { ...describeMessage(message), conversation: record },
    })),
    ...statusKinds(before, after).map((kind) => ({ kind, data: record })),
  ];
  let sequence = before?.sequence ?? 0;
  return changes.map(({ kind, data }) => {
    sequence = nextSequence(sequence, at);
    return { sequence, kind, at, actor, data: data as PendingChange['data'] };
  });
}

function statusKinds(before: Conversation | undefined, after: Conversation): ConversationChangeKind[] {
  const from = before?.status ?? 'open';
  const to = after.status;
  if (from === to) return takenOver(before, after) ? ['conversation.handoff_accepted'] : [];
  const isAccepted = from === 'handoff_requested' && to === 'handoff_active';
  const hadHandoff = from === 'handoff_active' || from === 'handoff_requested';
  return [
    // A request that nobody accepted ends as well.
    ...(hadHandoff && !isAccepted ? (['conversation.handoff_ended'] as const) : []),
    // A newer message opens it again.
    ...(from === 'closed' ? (['conversation.opened'] as const) : []),
    ...(to === 'handoff_requested' ? (['conversation.handoff_requested'] as const) : []),
    ...(to === 'handoff_active' ? (['conversation.handoff_accepted'] as const) : []),
    ...(to === 'closed' ? (['conversation.closed'] as const) : []),
  ];
}

/** Whether another agent has the handoff now. */
function takenOver(before: Conversation | undefined, after: Conversation): boolean {
  return (
    after.status === 'handoff_active' && !isDeepStrictEqual(before?.accepted?.agent, after.accepted?.agent)
  );
}
