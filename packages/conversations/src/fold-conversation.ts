import { type ConversationStatus, PREVIEW_LENGTH } from '@sluice/contract/conversation';
import type { ConversationAction, ConversationActionKind } from '@sluice/contract/conversation-action';
import type { ConversationState, MessagePreview } from '@sluice/contract/conversation-state';
import type { Register } from '@sluice/contract/event-state';

/** The status that an action sets; null if it sets none. */
const SETS: Record<ConversationActionKind, ConversationStatus | null> = {
  open: 'open',
  message: null,
  request_handoff: 'handoff_requested',
  accept_handoff: 'handoff_active',
  end_handoff: 'open',
  close: 'closed',
};

/** A numbered action, with the id of its message. */
export interface NumberedAction {
  readonly action: ConversationAction;
  readonly sequence: number;
  /** The channel. It counts as the one that accepted a handoff, unless the action has `by`. */
  readonly channel_id: string;
  readonly message_id: string | null;
}

/** The instant of a sequence number, which is microseconds since the Unix epoch. Milliseconds. */
export const msOf = (sequence: number): number => Math.floor(sequence / 1000);

/**
 * Applies one numbered action to the state of a conversation. The resulting state is a pure function of the set of actions:
 * any order and any repetition leads to the same state. A number belongs to one action only.
 */
export function foldConversation(
  state: ConversationState,
  { action, sequence, channel_id, message_id }: NumberedAction,
): ConversationState {
  const { kind, conversation, message, by, agent_name } = action;
  const { subject, language, contact, session } = conversation;
  const status = SETS[kind];
  const agent = by ?? { type: 'source' as const, id: channel_id, name: agent_name ?? null };
  return {
    created: Math.min(state.created ?? sequence, sequence),
    subject: later(state.subject, subject, sequence),
    language: later(state.language, language, sequence),
    contact: later(state.contact, contact, sequence),
    session: later(state.session, session, sequence),
    status: later(state.status, status ?? undefined, sequence),
    requested: kind === 'request_handoff' ? highest(state.requested, sequence) : state.requested,
    accepted: kind === 'accept_handoff' ? later(state.accepted, agent, sequence) : state.accepted,
    last_message: message === undefined ? state.last_message : highest(state.last_message, sequence),
    preview:
      message === undefined || message_id === null
        ? state.preview
        : newer(state.preview, {
            message_id,
            sequence,
            sent_at: message.sent_at ?? msOf(sequence),
            author: message.author,
            author_name: message.author_name ?? null,
            text: [...message.text.slice(0, 2 * PREVIEW_LENGTH)].slice(0, PREVIEW_LENGTH).join(''),
          }),
  };
}

function later<T>(register: Register<T> | null, value: T | undefined, sequence: number): Register<T> | null {
  if (value === undefined || (register !== null && register.sequence >= sequence)) return register;
  return { sequence, value };
}

function highest(known: number | null, sequence: number): number {
  return Math.max(known ?? sequence, sequence);
}

function newer(known: MessagePreview | null, one: MessagePreview): MessagePreview {
  if (known === null) return one;
  const isNewer = one.sent_at - known.sent_at || one.sequence - known.sequence;
  return isNewer > 0 ? one : known;
}
