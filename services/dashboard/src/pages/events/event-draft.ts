import type { EventFields, EventItem } from '@sluice/dashboard-api/events';

/** The fields of an event in the form. Times are instants in ISO 8601. */
export type EventDraft = Readonly<Record<keyof EventFields, string>>;

const IDENTITY = ['title', 'starts_at', 'location'] as const;

export function draftOf(event: EventItem): EventDraft {
  const { title, starts_at, ends_at, location, description, url, price, recurring, status } = event;
  return {
    title,
    starts_at,
    ends_at: ends_at ?? '',
    location: location ?? '',
    description: description ?? '',
    url: url ?? '',
    price: price ?? '',
    recurring: recurring ?? '',
    status: status ?? '',
  };
}

/** The edits of a draft of an earlier version of the event, on its present one. */
export function rebased(before: EventItem, draft: EventDraft, now: EventItem): EventDraft {
  const seen = draftOf(before);
  const edits = Object.entries(draft).filter(([name, value]) => value !== seen[name as keyof EventFields]);
  return { ...draftOf(now), ...Object.fromEntries(edits) };
}

/** Whether saving creates an event with a new identity, and deletes the old one. */
export function isMoved(event: EventItem, draft: EventDraft): boolean {
  const before = draftOf(event);
  return IDENTITY.some((name) => before[name] !== draft[name].trim());
}

export function isSame(event: EventItem, draft: EventDraft): boolean {
  const before = draftOf(event);
  return (Object.keys(before) as (keyof EventFields)[]).every((name) => before[name] === draft[name]);
}
