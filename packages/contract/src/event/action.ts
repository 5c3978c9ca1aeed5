import { EVENT_FIELDS, type EventContent, type EventIdentity, type EventStatus } from './event-fields.ts';

/** The three things a sender can ask for (docs/sending-events.md). */
export const ACTION_KINDS = ['upsert', 'cancel', 'delete'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

interface Addressed {
  /** Identifies the event, unless there is an `external_id`. A cancel or delete with one has a title at most (`titled`). */
  readonly identity: EventIdentity;
  /** The sender's id of the event. It alone identifies the event in its source. Trimmed and in NFC. */
  readonly external_id?: string;
  /**
   * When the change was made, by the sender's clock: milliseconds since the Unix epoch. A platform that retries a request for hours
   * sends it after newer ones. Only an action with an `external_id` has it.
   */
  readonly occurred_at?: number;
}

/** Create the event or replace its whole content, and set its status. */
export interface UpsertAction extends Addressed {
  readonly kind: 'upsert';
  readonly content: EventContent;
  readonly status: EventStatus;
  /** The `external_id` of an event that is deleted, because this one replaces it. */
  readonly replaces?: string;
}

/** Set the event's status to cancelled; its content stays. */
export interface CancelAction extends Addressed {
  readonly kind: 'cancel';
}

/** Remove the event. */
export interface DeleteAction extends Addressed {
  readonly kind: 'delete';
  /** The id of the event that replaces it. Only the worker sets it. */
  readonly became?: string;
}

export type Action = UpsertAction | CancelAction | DeleteAction;

/** The identity of an action that needs none. Its title is as sent, and for people only. */
export function titled(title: unknown): EventIdentity {
  const text = typeof title === 'string' ? title.slice(0, EVENT_FIELDS.title.max).toWellFormed() : '';
  return { title: text, starts_at: 0, location: '' };
}
