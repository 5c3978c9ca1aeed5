import type { AttemptRow, MessageAttempt, WebhookMessage } from './webhook-message.ts';

/** A message as stored. */
export interface MessageDocument
  extends Omit<WebhookMessage, 'message_id' | 'next_attempt_at' | 'created_at' | 'updated_at'> {
  readonly _id: string;
  readonly schema_version: 1;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** Present on messages about records that can be erased, for the index. */
  readonly erasable?: true;
  /** Present until the message is delivered, so that delivered messages, nearly all, have no entry in the index by status. */
  readonly undelivered?: true;
}

/** Without the time of the change, which the server sets. */
export type UntimedMessage = Omit<MessageDocument, 'updated_at'>;

export function toDocument(
  row: Omit<AttemptRow, 'attempt'> & { readonly attempt?: MessageAttempt },
  attempts: readonly MessageAttempt[],
): UntimedMessage {
  const { message_id, attempt: _, status_stays: __, next_attempt_at, created_at, ...rest } = row;
  const erasable = !rest.kind.startsWith('event.') && !rest.kind.startsWith('source.');
  return {
    _id: message_id,
    schema_version: 1,
    ...rest,
    attempts,
    next_attempt_at: next_attempt_at === null ? null : new Date(next_attempt_at),
    created_at: new Date(created_at),
    ...(erasable && { erasable }),
    ...(rest.status !== 'delivered' && { undelivered: true }),
  };
}

export function fromDocument(document: MessageDocument): WebhookMessage {
  const { _id, schema_version: _, erasable: __, undelivered: ___, ...fields } = document;
  const { next_attempt_at, created_at, updated_at, ...rest } = fields;
  return {
    message_id: _id,
    ...rest,
    next_attempt_at: next_attempt_at?.getTime() ?? null,
    created_at: created_at.getTime(),
    updated_at: updated_at.getTime(),
  };
}
