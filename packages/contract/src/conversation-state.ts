import type {
  ConversationAgent,
  ConversationContact,
  ConversationSession,
  ConversationStatus,
  MessageAuthor,
} from './conversation.ts';
import type { Register } from './event-state.ts';

/** The newest message of a conversation, as its list shows it. */
export interface MessagePreview {
  readonly message_id: string;
  readonly sequence: number;
  /** Milliseconds since the Unix epoch. */
  readonly sent_at: number;
  readonly author: MessageAuthor;
  readonly author_name: string | null;
  /** The beginning of the text. */
  readonly text: string;
}

/** The state of a conversation. Each register has the sequence number that set it, and the highest number wins. */
export interface ConversationState {
  /** The lowest sequence number of all actions. */
  readonly created: number | null;
  readonly subject: Register<string> | null;
  readonly language: Register<string> | null;
  readonly contact: Register<ConversationContact> | null;
  readonly session: Register<ConversationSession> | null;
  /** The last state action. A newer message reopens a closed conversation (statusOf). */
  readonly status: Register<ConversationStatus> | null;
  readonly requested: number | null;
  readonly accepted: Register<ConversationAgent> | null;
  /** The highest sequence number of a message. */
  readonly last_message: number | null;
  readonly preview: MessagePreview | null;
}

export const NO_CONVERSATION: ConversationState = {
  created: null,
  subject: null,
  language: null,
  contact: null,
  session: null,
  status: null,
  requested: null,
  accepted: null,
  last_message: null,
  preview: null,
};

/** The status of a conversation, a pure function of its registers. */
export function statusOf({ status, last_message }: ConversationState): ConversationStatus {
  if (status === null) return 'open';
  return status.value === 'closed' && (last_message ?? 0) > status.sequence ? 'open' : status.value;
}
