import {
  type Actor,
  type ConversationChangeKind,
  nextSequence,
  type UntoldChange,
} from '@sluice/contract/change';
import { type ConversationState, statusOf } from '@sluice/contract/conversation-state';
import type { AdmittedConversation } from '@sluice/contract/groups';

/** One folded action, with the state before and after it. */
export interface Step {
  readonly admitted: AdmittedConversation;
  readonly before: ConversationState;
  readonly after: ConversationState;
  readonly message_id: string | null;
}

/**
 * The changes that a step makes, which are told to subscribers. They name the message instead of repeating it, because a group
 * may bring hundreds of long texts into one document. `last` is the sequence number of the last change of the conversation.
 */
export function changesOf(
  { admitted, before, after, message_id }: Step,
  last: number,
  nowMs: number,
): UntoldChange[] {
  const { by, message } = admitted.action;
  const actor: Actor =
    by === undefined || by.type === 'source'
      ? { type: 'source', id: admitted.source_id }
      : { type: by.type, id: by.id };
  const status = statusOf(after);
  const kinds: ConversationChangeKind[] = [...statusKinds(before, after)];
  if (message !== undefined)
    kinds.push(message.reply ? 'conversation.reply' : 'conversation.message_received');
  let sequence = last;
  return kinds.map((kind) => {
    sequence = nextSequence(sequence, nowMs);
    const about = message !== undefined && /message_received|reply/.test(kind) ? { message_id } : {};
    const previous = before.created === null ? {} : { previous: { status: statusOf(before) } };
    return { sequence, kind, at: nowMs, actor, data: { status, ...about }, ...previous };
  });
}

function statusKinds(before: ConversationState, after: ConversationState): ConversationChangeKind[] {
  if (before.created === null) return ['conversation.opened', ...entering(statusOf(after))];
  const [from, to] = [statusOf(before), statusOf(after)];
  if (from === to) return [];
  const ended =
    from.startsWith('handoff') && !to.startsWith('handoff') ? ['conversation.handoff_ended' as const] : [];
  const reopened = from === 'closed' ? ['conversation.opened' as const] : [];
  return [...ended, ...reopened, ...entering(to)];
}

function entering(status: string): ConversationChangeKind[] {
  if (status === 'handoff_requested') return ['conversation.handoff_requested'];
  return status === 'closed' ? ['conversation.closed'] : [];
}
