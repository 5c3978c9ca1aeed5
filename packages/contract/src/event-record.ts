import * as z from 'zod';
import { EVENT_ORIGINS, EVENT_STATUSES, type EventIdentity, RECURRENCES } from './event-fields.ts';
import type { EventState } from './event-state.ts';
import { formatInstant } from './instant.ts';

const instant = z.string().meta({ format: 'date-time', description: 'ISO 8601, in UTC.' });
const textOrNull = z.string().nullable();

/** An event, as messages contain it. Every key is always present. */
export const eventRecord = z.object({
  id: z.string().meta({ description: '`evt_…`, derived from the source, title, starts_at and location.' }),
  source_id: z.string(),
  title: z.string(),
  starts_at: instant,
  ends_at: instant.nullable(),
  location: textOrNull,
  description: textOrNull,
  url: textOrNull,
  price: textOrNull,
  recurring: z.enum(RECURRENCES).nullable(),
  status: z.enum(EVENT_STATUSES).nullable().meta({ description: 'null once deleted.' }),
  origin: z
    .enum(EVENT_ORIGINS)
    .nullable()
    .meta({ description: 'How the current content arrived; null once deleted.' }),
  created_at: instant,
  updated_at: instant,
  deleted_at: instant.nullable().meta({ description: 'null while the event exists.' }),
});
export type EventRecord = z.infer<typeof eventRecord>;

/** The parts that a record is made of. */
export interface DescribedEvent {
  readonly event_id: string;
  readonly source_id: string;
  readonly identity: EventIdentity;
  readonly state: EventState;
}

/** An event as messages contain it. The event must have been created; it may be deleted. */
export function describeEvent({ event_id, source_id, identity, state }: DescribedEvent): EventRecord {
  const { content, status, deleted, created } = state;
  const value = content?.value ?? {};
  const last = Math.max(content?.sequence ?? 0, status?.sequence ?? 0, deleted ?? 0);
  return {
    id: event_id,
    source_id,
    title: identity.title,
    starts_at: formatInstant(identity.starts_at),
    ends_at: value.ends_at === undefined ? null : formatInstant(value.ends_at),
    location: identity.location === '' ? null : identity.location,
    description: value.description ?? null,
    url: value.url ?? null,
    price: value.price ?? null,
    recurring: value.recurring ?? null,
    status: content === null ? null : (status?.value ?? null),
    origin: content === null ? null : (content.origin ?? 'webhook'),
    created_at: instantOf(created ?? last),
    updated_at: instantOf(last),
    deleted_at: content === null && deleted !== null ? instantOf(deleted) : null,
  };
}

/** A sequence number is microseconds since the Unix epoch. */
function instantOf(sequence: number): string {
  return formatInstant(Math.floor(sequence / 1000));
}
