import { type ConversationStatus, PREVIEW_LENGTH } from '@sluice/contract/conversation/conversation';
import type { ConversationAction } from '@sluice/contract/conversation/conversation-action';
import { conversationId, messageId } from '@sluice/contract/conversation/conversation-id';
import type {
  Conversation,
  ConversationMessage,
  LastMessage,
  Register,
  StateAction,
} from '@sluice/store/conversations/conversation-document';

/** An accepted action of a channel. */
export interface Admitted {
  readonly account_id: string;
  /** The id of the channel. */
  readonly source_id: string;
  readonly sequence: number;
  /** Milliseconds since the Unix epoch. */
  readonly received_at: number;
  readonly action: ConversationAction;
}

/** The parts of a conversation that its actions determine, whatever the order in which they are folded. */
export type FoldedConversation = Omit<
  Conversation,
  | 'created_at'
  | 'updated_at'
  | 'revision'
  | 'sequence'
  | 'recent_messages'
  | 'untold'
  | 'lead_id'
  | 'link_due_at'
  | 'erased_sequence'
>;

/** The id of an action's conversation. */
export function conversationIdOf({ source_id, action }: Admitted): string {
  return conversationId(source_id, action.conversation.external_id);
}

/**
 * Folds one action. Each part is a maximum or minimum over the actions, so every order, grouping and repetition of the same
 * actions gives the same conversation.
 */
export function foldConversation(before: FoldedConversation | undefined, one: Admitted): FoldedConversation {
  const { sequence, received_at: at, action } = one;
  const { subject, language, contact, session, external_id } = action.conversation;
  const registers = {
    ...later('subject', before, sequence, subject),
    ...later('language', before, sequence, language),
    ...later('contact', before, sequence, contact),
    ...later('session', before, sequence, session),
    ...later('state', before, sequence, action.kind === 'message' ? undefined : action.kind),
    ...laterOf('requested', before, action.kind === 'request_handoff' ? { sequence, at } : undefined),
    ...laterOf('accepted', before, acceptedBy(one)),
  };
  const sent = messageOf(one);
  const last_message = newest(before?.last_message, sent && previewOf(sent));
  const last_message_sequence = Math.max(before?.last_message_sequence ?? 0, sent?.sequence ?? 0);
  return {
    conversation_id: before?.conversation_id ?? conversationIdOf(one),
    account_id: one.account_id,
    channel_id: one.source_id,
    external_id,
    ...registers,
    ...(last_message && { last_message }),
    last_message_sequence,
    first_sequence: Math.min(before?.first_sequence ?? sequence, sequence),
    status: statusOf(registers.state, last_message_sequence),
  };
}

/** The state after the action with the highest sequence number. A newer message opens a closed conversation again. */
export function statusOf(
  state: Register<StateAction> | undefined,
  lastMessageSequence: number,
): ConversationStatus {
  switch (state?.value) {
    case 'request_handoff':
      return 'handoff_requested';
    case 'accept_handoff':
      return 'handoff_active';
    case 'close':
      return lastMessageSequence > state.sequence ? 'open' : 'closed';
    case 'open':
    case 'end_handoff':
    case undefined:
      return 'open';
  }
}

/** The message of an action; undefined if it brings none. */
export function messageOf(one: Admitted): ConversationMessage | undefined {
  const { message } = one.action;
  if (message === undefined) return undefined;
  const { external_id, author, author_name, text, sent_at, reply } = message;
  const conversation_id = conversationIdOf(one);
  return {
    message_id: messageId(conversation_id, external_id),
    conversation_id,
    account_id: one.account_id,
    external_id,
    author,
    author_name: author_name ?? null,
    text,
    sent_at: sent_at ?? admittedAt(one.sequence),
    sent_at_known: sent_at !== undefined,
    sequence: one.sequence,
    first_sequence: one.sequence,
    delivery: reply === true ? 'pending' : null,
    delivery_reason: null,
  };
}

/** Folds two versions of one message: the higher sequence number wins. A reply stays a reply. */
export function foldMessage(
  before: ConversationMessage | undefined,
  one: ConversationMessage,
): ConversationMessage {
  if (before === undefined) return one;
  const winner = one.sequence > before.sequence ? one : before;
  const first_sequence = Math.min(before.first_sequence, one.first_sequence);
  const reply = before.delivery !== null ? before : one;
  return {
    ...winner,
    first_sequence,
    sent_at: winner.sent_at_known ? winner.sent_at : admittedAt(first_sequence),
    delivery: reply.delivery,
    delivery_reason: reply.delivery_reason,
  };
}

/** A sequence number is the time of the admission in microseconds since the Unix epoch. */
function admittedAt(sequence: number): number {
  return Math.floor(sequence / 1000);
}

function acceptedBy({ sequence, received_at: at, action, source_id }: Admitted): Conversation['accepted'] {
  if (action.kind !== 'accept_handoff') return undefined;
  const agent = action.by ?? { type: 'source', id: source_id, name: action.agent_name ?? null };
  return { sequence, at, agent };
}

type Registers = Pick<FoldedConversation, 'subject' | 'language' | 'contact' | 'session' | 'state'>;
type ValueOf<Name extends keyof Registers> = NonNullable<Registers[Name]>['value'];

function later<Name extends keyof Registers>(
  name: Name,
  before: FoldedConversation | undefined,
  sequence: number,
  value: ValueOf<Name> | undefined,
): Pick<FoldedConversation, Name> {
  const register = value === undefined ? undefined : { sequence, value };
  return laterOf(name, before, register as FoldedConversation[Name]);
}

/** The part with the higher sequence number; absent if neither exists. */
function laterOf<Name extends keyof Registers | 'requested' | 'accepted'>(
  name: Name,
  before: FoldedConversation | undefined,
  now: FoldedConversation[Name],
): Pick<FoldedConversation, Name> {
  const known = before?.[name];
  const winner = known !== undefined && (now === undefined || known.sequence >= now.sequence) ? known : now;
  return (winner === undefined ? {} : { [name]: winner }) as Pick<FoldedConversation, Name>;
}

function previewOf(message: ConversationMessage): LastMessage {
  const { sequence, sent_at, message_id, author, author_name, text } = message;
  const shortened = [...text.slice(0, 2 * PREVIEW_LENGTH)].slice(0, PREVIEW_LENGTH).join('');
  return { sequence, sent_at, message_id, author, author_name, text: shortened };
}

function newest(one: LastMessage | undefined, other: LastMessage | undefined): LastMessage | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const order = one.sent_at - other.sent_at || one.sequence - other.sequence;
  return order >= 0 ? one : other;
}
