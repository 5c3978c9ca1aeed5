import type {
  EventContent,
  EventIdentity,
  EventOrigin,
  EventStatus,
  InstantField,
} from '@sluice/contract/event/event-fields';
import type { EventState } from '@sluice/contract/event/event-state';
import type { RecentOutcomes } from './recent-outcomes.ts';

/** The effect of the last import on an event, so that it can be undone. */
export interface ImportMark {
  readonly import_id: string;
  /** The import's last action that changed the event. If none did, its first action for the event. */
  readonly sequence: number;
  /** The event without the import. Null, and never undone, if no action changed the event or a newer change followed. */
  readonly before: EventState | null;
  /** The import is already undone for this event. */
  readonly undone?: true;
}

/** One event as the worker sees it: its identity, its state and its revision. */
export interface StoredEvent {
  readonly event_id: string;
  readonly source_id: string;
  readonly account_id: string;
  readonly identity: EventIdentity;
  /** Absent if title, start and location identify the event. */
  readonly external_id?: string;
  readonly state: EventState;
  /** Grows with each write. A value is never reused, even if the event is removed and stored again. */
  readonly revision: number;
  /** Latest outcomes, so that a retried job reports the same ones. */
  readonly recent: RecentOutcomes;
  /** Absent if no import has changed the event. */
  readonly imported?: ImportMark;
  /** Absent if all changes are published. */
  readonly untold?: EventPending;
}

/** The changes of an event that are not published yet (event-pending.ts). */
export interface EventPending {
  /** A JSON list of the changes, oldest first, in the form of outbound messages without their ids. */
  readonly json: string;
  /** When the oldest change was made. Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The sequence number of the last change. */
  readonly sequence: number;
}

/** One guarded write: it takes effect only while the stored revision is `expectedRevision`. */
export interface EventWrite {
  /** The event with its new state, outcomes and pending changes. Its `revision` is ignored; `newRevision` is stored. */
  readonly event: StoredEvent;
  /** The loaded revision; 0 if the event wasn't stored. */
  readonly expectedRevision: number;
  /**
   * The sequence number of the last pending change of the loaded event. If its changes were cleared since, the write takes no
   * effect: it would publish them again. Absent if all of them were published.
   */
  readonly expectedPending?: number | undefined;
  /** A revision that no document of this event ever had. The guard distinguishes documents by revision alone. */
  readonly newRevision: number;
  /** When a tombstone or marker expires (ms since the Unix epoch); null for an event that exists. */
  readonly expiresAt: number | null;
}

/** Pending changes of an event that was written without them. */
export interface LatePending {
  readonly event_id: string;
  /** The revision that the event must still have. */
  readonly revision: number;
  readonly untold: EventPending;
}

/** The result of one write. An infrastructure error is thrown instead, for all writes. */
export type EventWriteResult =
  | { readonly status: 'written' }
  /** Another writer was first: load, fold and write again. */
  | { readonly status: 'lost_race' }
  /** The event can never be stored in this form. */
  | { readonly status: 'rejected'; readonly reason: string };

/** The fields of an event with their instants as dates. */
type Stored<Values> = { [Name in keyof Values]: Name extends InstantField ? Date : Values[Name] };

/** A document of the collection `events`. A content field is present only while the content has it. */
export interface EventDocument extends Stored<EventIdentity>, Stored<EventContent> {
  readonly _id: string;
  readonly schema_version: 1;
  readonly source_id: string;
  readonly account_id: string;
  /** Origin of the content; absent means webhook. */
  readonly origin?: EventOrigin;
  readonly status: EventStatus | null;
  readonly exists: boolean;
  /** Sequence numbers of the registers (contract/event/event-state.ts). Their values are in the fields above. */
  readonly state: {
    readonly content: number | null;
    readonly status: number | null;
    readonly deleted: number | null;
    readonly created: number | null;
    readonly named?: number;
  };
  readonly external_id?: string;
  /** `first` of the registers that have one (contract/event/event-state.ts). */
  readonly firsts?: Partial<Record<'content' | 'status' | 'deleted' | 'named', number>>;
  readonly revision: number;
  /** Outcomes of the latest sequence numbers. */
  readonly outcomes: RecentOutcomes;
  readonly imported?: ImportMark;
  readonly created_at: Date | null;
  readonly updated_at: Date | null;
  /** When the TTL index removes a tombstone or marker. Absent while the event exists. */
  readonly expires_at?: Date;
  /** The fields of `EventPending`. They are text, because a list of documents would dominate a worker's decoding and encoding. */
  readonly untold?: string;
  readonly untold_at?: Date;
  readonly untold_sequence?: number;
  /** Becomes `expires_at` once all changes are published: the TTL index must not remove them. */
  readonly expires_once_told?: Date;
}
