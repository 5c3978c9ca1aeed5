import type { MessageStatus } from '@sluice/contract/subscription/webhook-delivery';

/** One try to deliver a message. */
export interface MessageAttempt {
  /** Unique among the attempts of its message, so that a log that is written twice has it once. */
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly duration_ms: number;
  /** `delivered`, or the reason why not, such as `timeout` (dispatcher: judge/judge-response.ts). */
  readonly code: string;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** A sentence for an admin about what happened. */
  readonly sentence: string;
  /** The start of the response's body; null without one, and once its record was erased. */
  readonly response: string | null;
  readonly redelivery: boolean;
}

/** A message with its attempts so far. Times are milliseconds since the Unix epoch. */
export interface WebhookMessage {
  readonly message_id: string;
  readonly account_id: string;
  readonly subscription_id: string;
  readonly change_id: string;
  /** The number of its change in the log of the account (outbound-changes.ts). */
  readonly place?: number;
  readonly kind: string;
  readonly record_id: string;
  readonly status: MessageStatus;
  readonly attempts: readonly MessageAttempt[];
  /** Of one that waits: its failed attempts, without redeliveries and those from before it was recovered. */
  readonly tries?: number;
  /** It was among messages that were sent again together. */
  readonly recovered?: true;
  /** When the next attempt is due at the earliest; null if none follows. */
  readonly next_attempt_at: number | null;
  /** When its change was published. */
  readonly created_at: number;
  /** When its row in the log was last changed. Absent: it has none. */
  readonly updated_at?: number;
}

/** A finished attempt, with what it makes of its message. */
export interface AttemptRow extends Omit<WebhookMessage, 'attempts' | 'updated_at'> {
  readonly attempt: MessageAttempt;
  /** The attempt changes neither status nor next attempt of a message that is in the log: a redelivery that failed. */
  readonly status_stays?: boolean;
}

/** A message that waits for its first attempt. */
export type UnattemptedMessage = Omit<
  WebhookMessage,
  'status' | 'attempts' | 'next_attempt_at' | 'updated_at'
>;

/** A message that waits for an attempt: one that is recovered, or from a mailbox of 0.2.0. */
export type WaitingMessage = UnattemptedMessage & {
  readonly place: number;
  readonly next_attempt_at: number;
};
