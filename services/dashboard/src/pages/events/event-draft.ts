import {
  EVENT_FIELD_NAMES,
  type EventField,
  forEachField,
  IDENTITY_FIELDS,
} from '@sluice/contract/event/event-fields';
import type { EventItem } from '@sluice/dashboard-api/events';

/** The fields of an event in the form. Times are instants in ISO 8601. */
export type EventDraft = Readonly<Record<EventField, string>>;

export function draftOf(event: EventItem): EventDraft {
  return forEachField((name) => event[name] ?? '');
}

/** The edits of a draft of an earlier version of the event, on its present one. */
export function rebased(before: EventItem, draft: EventDraft, now: EventItem): EventDraft {
  const seen = draftOf(before);
  const edits = Object.entries(draft).filter(([name, value]) => value !== seen[name as EventField]);
  return { ...draftOf(now), ...Object.fromEntries(edits) };
}

/** Whether saving creates an event with a new identity, and deletes the old one. One with an `external_id` stays the same. */
export function isMoved(event: EventItem, draft: EventDraft): boolean {
  if (event.external_id !== null) return false;
  const before = draftOf(event);
  return IDENTITY_FIELDS.some((name) => before[name] !== draft[name].trim());
}

export function isSame(event: EventItem, draft: EventDraft): boolean {
  const before = draftOf(event);
  return EVENT_FIELD_NAMES.every((name) => before[name] === draft[name]);
}
