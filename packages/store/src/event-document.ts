import type { EventIdentity, EventOrigin, EventStatus, Recurrence } from '@sluice/contract/event-fields';
import type { EventState } from '@sluice/contract/event-state';
import type { RecentOutcome, RecentOutcomes } from './recent-outcomes.ts';

/** What the last import did to an event, so that it can be undone. */
export interface ImportMark {
  readonly import_id: string;
  /** The last action of that import which set anything of the event; where none has, the first that would have. */
  readonly sequence: number;
  /** What the event would be without it; null where none has, or something newer has changed the event: no undo touches it. */
  readonly before: EventState | null;
  /** The import was undone here: no undo of it waits for this event. */
  readonly undone?: true;
}

/** One event as the worker sees it: what identifies it, what is remembered of it, and which revision that is. */
export interface StoredEvent {
  readonly event_id: string;
  readonly source_id: string;
  readonly account_id: string;
  readonly identity: EventIdentity;
  readonly state: EventState;
  /** Grows with each write, and never comes back, not even where the event was removed and is stored anew. */
  readonly revision: number;
  /** So that a job that is run again reports the same. */
  readonly recent: RecentOutcomes;
  /** Absent where no import has changed it. */
  readonly imported?: ImportMark;
}

/** One guarded write: it takes effect only while the stored revision is `expectedRevision`. */
export interface EventWrite {
  /** With the new state and outcomes; its own `revision` is not looked at: `newRevision` is stored. */
  readonly event: StoredEvent;
  /** The revision that was loaded; 0 where the event was not stored. */
  readonly expectedRevision: number;
  /** One that no document of this event ever had: the guard knows a document by nothing else. */
  readonly newRevision: number;
  /** Milliseconds since the Unix epoch at which a tombstone or marker goes; null for an event that exists. */
  readonly expiresAt: number | null;
}

/** What became of one write. Whatever looks like infrastructure is thrown instead, for the whole of the writes. */
export type EventWriteResult =
  | { readonly status: 'written' }
  /** Somebody else wrote first: load, fold and write again. */
  | { readonly status: 'lost_race' }
  /** Can never be stored as it is. */
  | { readonly status: 'rejected'; readonly reason: string };

/** A document of the collection `events`. Fields of the content are there only while the content has them. */
export interface EventDocument {
  readonly _id: string;
  readonly schema_version: 1;
  readonly source_id: string;
  readonly account_id: string;
  readonly title: string;
  readonly starts_at: Date;
  readonly location: string;
  readonly ends_at?: Date;
  readonly description?: string;
  readonly url?: string;
  readonly price?: string;
  readonly recurring?: Recurrence;
  /** Of the content; absent means webhook. */
  readonly origin?: EventOrigin;
  readonly status: EventStatus | null;
  readonly exists: boolean;
  /** Sequence numbers of the registers (contract/event-state.ts); their values stand above. */
  readonly state: {
    readonly content: number | null;
    readonly status: number | null;
    readonly deleted: number | null;
    readonly created: number | null;
  };
  readonly revision: number;
  /** What the latest sequence numbers came to; absent where an older worker wrote the document. */
  readonly outcomes?: RecentOutcomes;
  /** The same as older workers list it, which may run beside during an upgrade; empty where `outcomes` is there. */
  readonly recent: readonly RecentOutcome[];
  readonly imported?: ImportMark;
  readonly created_at: Date | null;
  readonly updated_at: Date | null;
  /** Only while the event does not exist: when the TTL index removes the tombstone or marker. */
  readonly expires_at?: Date;
}
