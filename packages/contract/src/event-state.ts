import type { EventContent, EventOrigin, EventStatus } from './event-fields.ts';

/** A value and the sequence number of the action that set it: the highest sequence number wins. */
export interface Register<T> {
  readonly sequence: number;
  readonly value: T;
}

/** The origin belongs to the action that set the content, so that it wins and loses with it. */
export interface ContentRegister extends Register<EventContent> {
  /** Absent means webhook. */
  readonly origin?: EventOrigin;
}

/**
 * What is remembered of one event, made of registers in which the highest (for `created`, the lowest) sequence
 * number wins. Such registers may be merged in any order and any number of times with the same result,
 * which is what lets workers, retries and races apply actions as they come (design: guarantee 2).
 *
 * Canonical form: `content` and `status` older than `deleted` are null, as the deletion took them along.
 * The event exists when `content` is not null.
 */
export interface EventState {
  /** Set by upserts. */
  readonly content: ContentRegister | null;
  /** Set by upserts and cancels. Without content it is the marker of a cancel that came before its upsert. */
  readonly status: Register<EventStatus> | null;
  /** Sequence number of the last delete; null where there was none. Kept as a tombstone. */
  readonly deleted: number | null;
  /** The lowest sequence number of all upserts, so that it too is the same for every order. */
  readonly created: number | null;
}

export const NO_EVENT: EventState = { content: null, status: null, deleted: null, created: null };
