import type { EventContent, EventIdentity, EventOrigin, EventStatus } from './event-fields.ts';

/** The place of an action among those on its event. */
export interface Order {
  readonly sequence: number;
  /** Compared before the sequence number: when the sender made the change, in microseconds. Absent: the sequence number. */
  readonly first?: number | undefined;
}

/** A value and the place of the action that set it: the highest one wins. */
export interface Register<T> extends Order {
  readonly value: T;
}

/** The origin is a part of the content's register, so that it wins and loses with the content. */
export interface ContentRegister extends Register<EventContent> {
  /** Absent means webhook. */
  readonly origin?: EventOrigin;
}

/**
 * The state of one event: registers in which the highest sequence number wins (for `created`, the lowest). Registers can be
 * merged in any order and any number of times with the same result. So workers, retries and races may apply actions in any
 * order (docs/guarantees.md, 2).
 *
 * Canonical form: `content` and `status` older than `deleted` are null, because the deletion removed them.
 * The event exists if `content` is not null.
 */
export interface EventState {
  /** Set by upserts. */
  readonly content: ContentRegister | null;
  /** Set by upserts and cancels. Without content it marks a cancel that arrived before its upsert. */
  readonly status: Register<EventStatus> | null;
  /** The sequence number of the last delete, which is a tombstone; null if there was none. */
  readonly deleted: number | null;
  /** `first` of the last delete. */
  readonly deletedFirst?: number | undefined;
  /** The lowest sequence number of all upserts. It is the same for every order too. */
  readonly created: number | null;
  /**
   * Title, start and location of the newest upsert of an event with an `external_id`. A deletion leaves them, so that they are the
   * same for every order. Absent without an upsert, and in any other event, because there they never change.
   */
  readonly named?: Register<EventIdentity>;
}

export const NO_EVENT: EventState = { content: null, status: null, deleted: null, created: null };

/** The newest sequence number in a state. The newest action on an event has always set a register. */
export function newestSequence({ content, status, deleted }: EventState): number {
  return Math.max(content?.sequence ?? 0, status?.sequence ?? 0, deleted ?? 0);
}
