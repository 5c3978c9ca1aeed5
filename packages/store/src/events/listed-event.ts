import type { Action } from '@sluice/contract/event/action';
import {
  CONTENT_FIELDS,
  type EventContent,
  type EventIdentity,
  type EventOrigin,
  type EventStatus,
} from '@sluice/contract/event/event-fields';
import { dateOfSequence } from './event-conversion.ts';
import type { EventDocument } from './event-document.ts';

type ListedContent = { readonly [Name in keyof Required<EventContent>]: Required<EventContent>[Name] | null };

/** An event for display. Times are milliseconds since the Unix epoch. A missing value is null. */
export interface ListedEvent extends ListedContent, Omit<EventIdentity, 'location'> {
  readonly event_id: string;
  readonly source_id: string;
  readonly account_id: string;
  readonly location: string | null;
  /** Null if title, start and location identify the event. */
  readonly external_id: string | null;
  /** Null once deleted, because the deletion removes the status with the content. */
  readonly status: EventStatus | null;
  /** Origin of its content; null once deleted. */
  readonly origin: EventOrigin | null;
  readonly created_at: number | null;
  readonly updated_at: number | null;
  /** Null while the event exists. */
  readonly deleted_at: number | null;
}

/** What an action on an event needs of it. */
export function addressOf(
  event: Pick<ListedEvent, 'title' | 'starts_at' | 'location' | 'external_id'>,
): Pick<Action, 'identity' | 'external_id'> {
  const { title, starts_at, location, external_id } = event;
  const identity = { title, starts_at, location: location ?? '' };
  return external_id === null ? { identity } : { identity, external_id };
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
    location: document.location === '' ? null : document.location,
    external_id: document.external_id ?? null,
    ...(Object.fromEntries(CONTENT_FIELDS.map(({ name }) => [name, plain(document[name])])) as ListedContent),
    status: document.status,
    origin: exists ? (document.origin ?? 'webhook') : null,
    created_at: document.created_at?.getTime() ?? null,
    updated_at: document.updated_at?.getTime() ?? null,
    deleted_at: exists || state.deleted === null ? null : (dateOfSequence(state.deleted)?.getTime() ?? null),
  };
}

function plain<Value>(stored: Value | Date | undefined): Value | number | null {
  return stored instanceof Date ? stored.getTime() : (stored ?? null);
}
