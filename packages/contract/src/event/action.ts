import type { EventContent, EventIdentity, EventStatus } from './event-fields.ts';

/** The three things a sender can ask for (docs/sending-events.md). */
export const ACTION_KINDS = ['upsert', 'cancel', 'delete'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** Create the event or replace its whole content, and set its status. */
export interface UpsertAction {
  readonly kind: 'upsert';
  readonly identity: EventIdentity;
  readonly content: EventContent;
  readonly status: EventStatus;
}

/** Set the event's status to cancelled; its content stays. */
export interface CancelAction {
  readonly kind: 'cancel';
  readonly identity: EventIdentity;
}

/** Remove the event. */
export interface DeleteAction {
  readonly kind: 'delete';
  readonly identity: EventIdentity;
}

export type Action = UpsertAction | CancelAction | DeleteAction;
