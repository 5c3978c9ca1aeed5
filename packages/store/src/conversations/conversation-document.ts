import type {
  ConversationAgent,
  ConversationContact,
  ConversationSession,
  ConversationStatus,
  MessageAuthor,
  ReplyDelivery,
  SessionValue,
} from '@sluice/contract/conversation/conversation';
import type { ConversationActionKind } from '@sluice/contract/conversation/conversation-action';
import type { PendingChange } from '@sluice/contract/message/change';
import type { StoredChange } from '../pending/stored-change.ts';
import { type DocumentOf, storedRecord } from '../writing/stored-record.ts';

/** A value with the sequence number of the action that set it. A higher one replaces it. */
export interface Register<T> {
  readonly sequence: number;
  readonly value: T;
}

/** The actions that set the state. A message sets none. */
export type StateAction = Exclude<ConversationActionKind, 'message'>;

/** The newest message, shortened. */
export interface LastMessage {
  readonly sequence: number;
  /** Milliseconds since the Unix epoch. */
  readonly sent_at: number;
  readonly message_id: string;
  readonly author: MessageAuthor;
  readonly author_name: string | null;
  readonly text: string;
}

/** A conversation. Times are milliseconds since the Unix epoch. */
export interface Conversation {
  readonly conversation_id: string;
  readonly account_id: string;
  readonly channel_id: string;
  readonly external_id: string;
  readonly subject?: Register<string>;
  readonly language?: Register<string>;
  readonly contact?: Register<ConversationContact>;
  readonly session?: Register<ConversationSession>;
  readonly state?: Register<StateAction>;
  /** The last request for a person. */
  readonly requested?: { readonly sequence: number; readonly at: number };
  /** The last takeover. */
  readonly accepted?: { readonly sequence: number; readonly at: number; readonly agent: ConversationAgent };
  readonly last_message?: LastMessage;
  /** The highest sequence number of a message; 0: none. */
  readonly last_message_sequence: number;
  /** The lowest sequence number of an action. */
  readonly first_sequence: number;
  /** Derived from the registers, and stored for lists. */
  readonly status: ConversationStatus;
  readonly lead_id: string | null;
  /** The lead was erased: actions up to this sequence number have no effect any more. */
  readonly erased_sequence?: number;
  /** Since when the conversation waits for a look at which lead it belongs to. Absent: it does not wait. */
  readonly link_due_at?: number;
  readonly created_at: number;
  readonly updated_at: number;
  /** Starts at 1. Each change adds 1. */
  readonly revision: number;
  /** The sequence number of the last change (contract/message/change.ts). */
  readonly sequence: number;
  /** Sequence numbers of the latest messages whose change was kept, so that a retry keeps none twice. */
  readonly recent_messages: readonly number[];
  /** Changes that are not published yet, oldest first. */
  readonly untold: readonly PendingChange[];
}

const CONVERSATION_TIMES = ['link_due_at', 'created_at', 'updated_at'] as const;
export const CONVERSATION = storedRecord<Conversation>()('conversation_id', CONVERSATION_TIMES);

/** A document of the collection `conversations`. */
export interface ConversationDocument
  extends Omit<DocumentOf<typeof CONVERSATION>, 'session' | 'lead_id' | 'untold'> {
  /** A list of pairs, because the name of a value may be any text, and a name in BSON may not. */
  readonly session?: Register<readonly { readonly k: string; readonly v: SessionValue }[]>;
  readonly lead_id?: string;
  /** The email and phone number of the contact, as tokens of leads. Only while no lead that has them is linked. */
  readonly unlinked_keys?: readonly string[];
  readonly untold?: readonly StoredChange[];
  /** When the oldest pending change was made. Absent if there is none. */
  readonly untold_at?: Date;
}

/** A message of a conversation. Times are milliseconds since the Unix epoch. */
export interface ConversationMessage {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly account_id: string;
  readonly external_id: string;
  readonly author: MessageAuthor;
  readonly author_name: string | null;
  readonly text: string;
  /** When it was sent, as the channel states; else when it was first admitted. */
  readonly sent_at: number;
  /** Whether the channel stated it. */
  readonly sent_at_known: boolean;
  /** The action with the highest sequence number has set the content. */
  readonly sequence: number;
  /** The lowest sequence number of the message. */
  readonly first_sequence: number;
  /** For a reply: what became of it. Null for all other messages. */
  readonly delivery: ReplyDelivery | null;
  readonly delivery_reason: string | null;
}

/** A message in a list. */
export interface ListedMessage extends ConversationMessage {
  /** When its stored version was last changed. */
  readonly updated_at: number;
}

/** The form of messages in the collection `conversation_messages`. */
export const MESSAGE = storedRecord<ListedMessage>()('message_id', ['sent_at', 'updated_at']);
export type MessageDocument = DocumentOf<typeof MESSAGE>;
