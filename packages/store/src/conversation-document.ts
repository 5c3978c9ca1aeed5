import type { UntoldChange } from '@sluice/contract/change';
import type { ReplyDelivery } from '@sluice/contract/conversation';
import type { ActionMessage } from '@sluice/contract/conversation-action';
import type { ConversationState } from '@sluice/contract/conversation-state';
import type { RecentOutcomes } from './recent-outcomes.ts';

/** One conversation. Times are milliseconds since the Unix epoch. */
export interface StoredConversation {
  readonly conversation_id: string;
  readonly account_id: string;
  readonly channel_id: string;
  readonly external_id: string;
  readonly state: ConversationState;
  /** Grows with each write. 0: not stored yet. */
  readonly revision: number;
  /** Latest outcomes, so that a retried job reports the same ones. */
  readonly recent: RecentOutcomes;
  /** The sequence number of its last change (contract/change.ts). */
  readonly sequence: number;
  readonly lead_id: string | null;
  readonly updated_at: number;
}

/** One guarded write: it takes effect only while the stored revision is that of `before`. */
export interface ConversationWrite {
  readonly conversation: StoredConversation;
  /** The loaded revision; 0 if it was not stored. */
  readonly expectedRevision: number;
  readonly changes: readonly UntoldChange[];
}

/** One message. The highest sequence number of its external id has set the content. */
export interface StoredMessage extends Omit<ActionMessage, 'sent_at' | 'reply'> {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly account_id: string;
  readonly sequence: number;
  /** The lowest sequence number of its external id, which dates a message without `sent_at`. */
  readonly first: number;
  /** The channel's time; null: it sent none. */
  readonly given_sent_at: number | null;
  /** Null unless it is a reply. */
  readonly delivery: ReplyDelivery | null;
}
