import type { EventOrigin, EventStatus, Recurrence } from '@sluice/contract/event-fields';
import { dateOfSequence } from './event-conversion.ts';
import type { EventDocument } from './event-document.ts';

/** An event for display. Times are milliseconds since the Unix epoch. A missing value is null. */
export interface ListedEvent {
  readonly event_id: string;
  readonly source_id: string;
  readonly account_id: string;
  readonly title: string;
  readonly starts_at: number;
  readonly ends_at: number | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly url: string | null;
  readonly price: string | null;
  readonly recurring: Recurrence | null;
  /** The start of the last occurrence; null if there is no end, or none is known. */
  readonly recurs_until: number | null;
  /** The IANA time zone of a series; null if none is known. */
  readonly time_zone: string | null;
  /** Null once deleted, because the deletion removes the status with the content. */
  readonly status: EventStatus | null;
  /** Origin of its content; null once deleted. */
  readonly origin: EventOrigin | null;
  readonly created_at: number | null;
  readonly updated_at: number | null;
  /** Null while the event exists. */
  readonly deleted_at: number | null;
}

/** Converts a document to an event for display. */
export function listedEvent(document: EventDocument): ListedEvent {
  const { exists, state } = document;
  return {
    event_id: document._id,
    source_id: document.source_id,
    account_id: document.account_id,
    title: document.title,
    starts_at: document.starts_at.getTime(),
    ends_at: document.ends_at?.getTime() ?? null,
    description: document.description ?? null,
    location: document.location === '' ? null : document.location,
    url: document.url ?? null,
    price: document.price ?? null,
    recurring: document.recurring ?? null,
    recurs_until: document.recurs_until?.getTime() ?? null,
    time_zone: document.time_zone ?? null,
    status: document.status,
    origin: exists ? (document.origin ?? 'webhook') : null,
    created_at: document.created_at?.getTime() ?? null,
    updated_at: document.updated_at?.getTime() ?? null,
    deleted_at: exists || state.deleted === null ? null : (dateOfSequence(state.deleted)?.getTime() ?? null),
  };
}
