import * as z from 'zod';
import { formatInstant } from '../time/instant.ts';
import {
  EVENT_FIELD_NAMES,
  EVENT_FIELDS,
  EVENT_ORIGINS,
  EVENT_STATUSES,
  type EventField,
  type EventIdentity,
  type EventValues,
  type FieldDeclaration,
  forEachField,
  type InstantField,
  type RequiredField,
} from './event-fields.ts';
import type { EventState } from './event-state.ts';

const instant = z.string().meta({ format: 'date-time', description: 'ISO 8601, in UTC.' });

/** What the API shows of a field: an instant in ISO 8601, and null for no value. */
type Shown<Name extends EventField> =
  | (Name extends InstantField ? string : EventValues[Name])
  | (Name extends RequiredField ? never : null);

function shownSchema(name: EventField): z.ZodType {
  const field: FieldDeclaration = EVENT_FIELDS[name];
  const schema =
    field.type === 'instant' ? instant : field.type === 'choice' ? z.enum(field.values) : z.string();
  return field.required ? schema : schema.nullable();
}

/** The fields that senders set, as the API and the dashboard show them. */
export const shownFields = forEachField(shownSchema) as {
  [Name in EventField]: z.ZodType<Shown<Name>>;
};
type ShownFields = { [Name in EventField]: Shown<Name> };

/** An event, as messages contain it. Every key is always present. */
export const eventRecord = z.object({
  id: z.string().meta({
    description:
      '`evt_…`, derived from the source and external_id. Without one: from title, starts_at and location.',
  }),
  source_id: z.string(),
  ...shownFields,
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
  readonly external_id?: string;
  readonly state: EventState;
}

/** An event as messages contain it. The event must have been created; it may be deleted. */
export function describeEvent({
  event_id,
  source_id,
  identity,
  external_id,
  state,
}: DescribedEvent): EventRecord {
  const { content, status, deleted, created, named } = state;
  const own = { ...(named?.value ?? identity), external_id };
  const value = { ...own, ...content?.value, ...(content !== null && { status: status?.value }) };
  const last = Math.max(content?.sequence ?? 0, status?.sequence ?? 0, deleted ?? 0);
  return {
    id: event_id,
    source_id,
    ...showFields(value),
    origin: content === null ? null : (content.origin ?? 'webhook'),
    created_at: instantOf(created ?? last),
    updated_at: instantOf(last),
    deleted_at: content === null && deleted !== null ? instantOf(deleted) : null,
  };
}

/** The fields of an event as texts. An absent or empty one is null. */
export function showFields(values: Partial<Nullable<EventValues>>): ShownFields {
  const shown: Record<string, string | null> = {};
  for (const name of EVENT_FIELD_NAMES) {
    const value = values[name];
    shown[name] = typeof value === 'number' ? formatInstant(value) : value || null;
  }
  return shown as ShownFields;
}

type Nullable<Values> = { readonly [Name in keyof Values]: Values[Name] | null | undefined };

/** A sequence number is microseconds since the Unix epoch. */
function instantOf(sequence: number): string {
  return formatInstant(Math.floor(sequence / 1000));
}
