import { CONTENT_FIELDS, type EventContent, type EventIdentity } from '@sluice/contract/event/event-fields';
import type { ContentRegister, EventState } from '@sluice/contract/event/event-state';
import type { Mutable } from '@sluice/contract/text/mutable';
import type { EventDocument, EventPending, EventWrite, StoredEvent } from './event-document.ts';

/** A document without its _id. */
export type EventReplacement = Omit<EventDocument, '_id'>;

/** The document that a write stores under the event's id. Throws a RangeError for a time outside the range of Date. */
export function toReplacement({ event, newRevision, expiresAt }: EventWrite): EventReplacement {
  const { identity, state } = event;
  const replacement: Mutable<EventReplacement> = {
    schema_version: 1,
    source_id: event.source_id,
    account_id: event.account_id,
    title: identity.title,
    starts_at: dateOf(identity.starts_at),
    location: identity.location,
    status: state.status?.value ?? null,
    exists: state.content !== null,
    state: {
      content: state.content?.sequence ?? null,
      status: state.status?.sequence ?? null,
      deleted: state.deleted,
      created: state.created,
    },
    revision: newRevision,
    outcomes: event.recent,
    created_at: dateOfSequence(state.created),
    updated_at: dateOfSequence(lastSequence(state)),
  };
  if (state.content !== null) addContent(replacement, state.content);
  if (event.external_id !== undefined) addId(replacement, event.external_id, state);
  if (event.imported !== undefined) replacement.imported = event.imported;
  if (event.untold !== undefined) addPending(replacement, event.untold, expiresAt);
  else if (expiresAt !== null) replacement.expires_at = dateOf(expiresAt);
  return replacement;
}

function addContent(replacement: Mutable<EventReplacement>, { value, origin }: ContentRegister): void {
  const fields: Record<string, unknown> = replacement;
  for (const { name, type } of CONTENT_FIELDS) {
    const own = value[name];
    if (own !== undefined) fields[name] = type === 'instant' ? dateOf(own as number) : own;
  }
  if (origin !== undefined) replacement.origin = origin;
}

/** The values of `named` are those of the document, so only its sequence number is stored with the others. */
function addId(replacement: Mutable<EventReplacement>, external_id: string, state: EventState): void {
  const { named } = state;
  replacement.external_id = external_id;
  if (named !== undefined) replacement.state = { ...replacement.state, named: named.sequence };
  const { content, status, deletedFirst: deleted } = state;
  const all = { content: content?.first, status: status?.first, named: named?.first, deleted };
  const firsts = Object.entries(all).filter(([, first]) => first !== undefined);
  if (firsts.length > 0) replacement.firsts = Object.fromEntries(firsts);
}

/** The registers of an event with an `external_id`. */
function withId(
  { content, status, ...state }: EventState,
  { state: { named }, firsts = {} }: EventDocument,
  identity: EventIdentity,
): EventState {
  return {
    ...state,
    content: content && { ...content, ...firstOf(firsts.content) },
    status: status && { ...status, ...firstOf(firsts.status) },
    ...(firsts.deleted !== undefined && { deletedFirst: firsts.deleted }),
    ...(named !== undefined && { named: { sequence: named, value: identity, ...firstOf(firsts.named) } }),
  };
}

const firstOf = (first: number | undefined) => (first === undefined ? {} : { first });

function addPending(
  replacement: Mutable<EventReplacement>,
  { json, at, sequence }: EventPending,
  expiresAt: number | null,
): void {
  replacement.untold = json;
  replacement.untold_at = dateOf(at);
  replacement.untold_sequence = sequence;
  if (expiresAt !== null) replacement.expires_once_told = dateOf(expiresAt);
}

/** The event of a document, exactly as it was written. */
export function fromDocument(document: EventDocument): StoredEvent {
  const { state, status, external_id, imported, untold } = document;
  const event: Mutable<StoredEvent> = {
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
    recent: document.outcomes,
  };
  if (external_id !== undefined) {
    event.external_id = external_id;
    event.state = withId(event.state, document, event.identity);
  }
  if (imported !== undefined) event.imported = imported;
  if (untold !== undefined) event.untold = pendingOf(document, untold);
  return event;
}

function pendingOf({ untold_at, untold_sequence = 0 }: EventDocument, json: string): EventPending {
  return { json, at: untold_at?.getTime() ?? 0, sequence: untold_sequence };
}

function contentRegister(sequence: number, document: EventDocument): ContentRegister {
  const { origin } = document;
  const value = contentOf(document);
  return origin === undefined ? { sequence, value } : { sequence, value, origin };
}

function contentOf(document: EventDocument): EventContent {
  const content: Record<string, unknown> = {};
  for (const { name } of CONTENT_FIELDS) {
    const own = document[name];
    if (own !== undefined) content[name] = own instanceof Date ? own.getTime() : own;
  }
  return content;
}

/** A sequence number is microseconds since the Unix epoch, or slightly ahead of the clock (docs/how-it-works.md, The fold). */
export function dateOfSequence(sequence: number | null): Date | null {
  return sequence === null ? null : new Date(Math.floor(sequence / 1000));
}

function dateOf(epochMs: number): Date {
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) throw new RangeError(`${epochMs} is not a time in milliseconds`);
  return date;
}

/** Smaller than every sequence number. */
const NONE = -1;

function lastSequence({ content, status, deleted }: EventState): number | null {
  const last = Math.max(content?.sequence ?? NONE, status?.sequence ?? NONE, deleted ?? NONE);
  return last === NONE ? null : last;
}
