import type { EventContent } from '@sluice/contract/event-fields';
import type { ContentRegister, EventState } from '@sluice/contract/event-state';
import type { EventDocument, EventWrite, StoredEvent } from './event-document.ts';
import { outcomesOfList } from './recent-outcomes.ts';

/** The document that a write stores. Throws a RangeError for a time that no Date can hold. */
export function toDocument({ event, expectedRevision, expiresAt }: EventWrite): EventDocument {
  const { identity, state } = event;
  return {
    _id: event.event_id,
    schema_version: 1,
    source_id: event.source_id,
    account_id: event.account_id,
    title: identity.title,
    starts_at: dateOf(identity.starts_at),
    location: identity.location,
    ...contentFields(state.content?.value ?? {}),
    ...(state.content?.origin !== undefined && { origin: state.content.origin }),
    status: state.status?.value ?? null,
    exists: state.content !== null,
    state: {
      content: state.content?.sequence ?? null,
      status: state.status?.sequence ?? null,
      deleted: state.deleted,
      created: state.created,
    },
    revision: expectedRevision + 1,
    outcomes: event.recent,
    recent: [],
    ...(event.imported !== undefined && { imported: event.imported }),
    created_at: dateOfSequence(state.created),
    updated_at: dateOfSequence(lastSequence(state)),
    ...(expiresAt !== null && { expires_at: dateOf(expiresAt) }),
  };
}

/** What a document says, exactly as it was written. */
export function fromDocument(document: EventDocument): StoredEvent {
  const { state, status } = document;
  return {
    event_id: document._id,
    source_id: document.source_id,
    account_id: document.account_id,
    identity: { title: document.title, starts_at: document.starts_at.getTime(), location: document.location },
    state: {
      content: state.content === null ? null : contentRegister(state.content, document),
      status: state.status === null || status === null ? null : { sequence: state.status, value: status },
      deleted: state.deleted,
      created: state.created,
    },
    revision: document.revision,
    recent: document.outcomes ?? outcomesOfList(document.recent),
    ...(document.imported !== undefined && { imported: document.imported }),
  };
}

function contentRegister(sequence: number, document: EventDocument): ContentRegister {
  const { origin } = document;
  return { sequence, value: contentOf(document), ...(origin !== undefined && { origin }) };
}

/** A sequence number is microseconds since the Unix epoch (or a little ahead of it, see the design). */
export function dateOfSequence(sequence: number | null): Date | null {
  return sequence === null ? null : new Date(Math.floor(sequence / 1000));
}

function dateOf(epochMs: number): Date {
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) throw new RangeError(`${epochMs} is not a time in milliseconds`);
  return date;
}

function lastSequence({ content, status, deleted }: EventState): number | null {
  const sequences = [content?.sequence, status?.sequence, deleted].filter((n) => typeof n === 'number');
  return sequences.length === 0 ? null : Math.max(...sequences);
}

function contentFields({ ends_at, description, url, price, recurring }: EventContent) {
  return {
    ...(ends_at !== undefined && { ends_at: dateOf(ends_at) }),
    ...(description !== undefined && { description }),
    ...(url !== undefined && { url }),
    ...(price !== undefined && { price }),
    ...(recurring !== undefined && { recurring }),
  };
}

function contentOf({ ends_at, description, url, price, recurring }: EventDocument): EventContent {
  return {
    ...(ends_at !== undefined && { ends_at: ends_at.getTime() }),
    ...(description !== undefined && { description }),
    ...(url !== undefined && { url }),
    ...(price !== undefined && { price }),
    ...(recurring !== undefined && { recurring }),
  };
}
