import type { Doer } from '../account/doer.ts';
import type {
  ConversationAgent,
  ConversationContact,
  ConversationSession,
  MessageAuthor,
} from './conversation.ts';

/** The actions that a channel can send. */
export const CONVERSATION_ACTION_KINDS = [
  'open',
  'message',
  'request_handoff',
  'accept_handoff',
  'end_handoff',
  'close',
] as const;
export type ConversationActionKind = (typeof CONVERSATION_ACTION_KINDS)[number];

/** The fields of the conversation that an action names. Each present field replaces the previous value. */
export interface ConversationFields {
  /** The channel's id of the conversation. */
  readonly external_id: string;
  readonly subject?: string;
  readonly language?: string;
  readonly contact?: ConversationContact;
  readonly session?: ConversationSession;
}

/** A message of an action. */
export interface ActionMessage {
  /** The channel's id of the message. */
  readonly external_id: string;
  readonly author: MessageAuthor;
  readonly author_name?: string;
  readonly text: string;
  /** Milliseconds since the Unix epoch. Absent: when it was first admitted. */
  readonly sent_at?: number;
  /** Set by the API server, never by a channel: the message goes back to the channel. */
  readonly reply?: true;
}

/** A change of one conversation. Every kind may bring a message, and `message` always does. */
export interface ConversationAction {
  readonly kind: ConversationActionKind;
  readonly conversation: ConversationFields;
  readonly message?: ActionMessage;
  /** The name of the agent who accepted, as the channel sent it. Only `accept_handoff` has it. */
  readonly agent_name?: string;
  /** Set by the API server or the command line, never by a channel: who asked for it. Absent: the channel. */
  readonly by?: ConversationAgent;
  /**
   * Set beside `by`. The audit log gets an entry from each process that applies the action, always the same one. So a process
   * that dies behind the action leaves no gap. Absent: it gets none by that.
   */
  readonly doer?: Doer;
}
