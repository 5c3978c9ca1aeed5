import { forEachField, IMPORT_FORMATS } from '@sluice/contract/event/event-fields';
import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem/problem';
import * as z from 'zod';
import { instantText } from './common.ts';
import {
  CALENDAR_EVENTS,
  IMPORT_BATCH_ROWS,
  IMPORT_CELL_LENGTH,
  KNOWN_UIDS,
  UID_LENGTH,
  UNDO_LEFT_SHOWN,
} from './limits.ts';

const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

/** A cell, unchanged from the file. The action parser checks its content. */
const cell = z.string().max(IMPORT_CELL_LENGTH).optional();

/** The event fields that a column can map to (docs/importing-events.md). */
const importedEvent = z.object(forEachField(() => cell));

/** The entry of a calendar that a row comes from. */
const calendarId = z.object({
  uid: z.string().min(1).max(UID_LENGTH),
  /** Identifies a changed day of a series; '' for any other event. */
  recurrence_id: z.string().max(60),
});

const importRow = z.object({
  /** CSV: line number, header = 1. iCalendar: index of the event. */
  row: z.number().int().min(1).max(1_000_000),
  /** Default: upsert. */
  action: z.enum(['upsert', 'cancel']).optional(),
  event: importedEvent,
  /** The start of the last occurrence, as ISO 8601. Only calendars know it. */
  recurs_until: z.string().max(40).optional(),
  /** The IANA time zone of a series. */
  time_zone: z.string().max(60).optional(),
  /** Remembered with the event, so that a later import finds it. */
  calendar_id: calendarId.optional(),
});
export type ImportRow = z.infer<typeof importRow>;

const rows = z.array(importRow).min(1).max(IMPORT_BATCH_ROWS);

/** Part of a file, to be checked without importing it. */
export const importCheck = z.object({ source_id: z.string(), rows });
export type ImportCheck = z.infer<typeof importCheck>;

/** UIDs of a calendar, to find the events that earlier imports made of them. */
export const uidsToFind = z.object({
  source_id: z.string(),
  uids: z.array(z.string().max(UID_LENGTH)).min(1).max(KNOWN_UIDS),
});
export type UidsToFind = z.infer<typeof uidsToFind>;

const knownEvent = z.object({
  ...calendarId.shape,
  event_id: z.string(),
  title: z.string(),
  starts_at: instantText,
  location: z.string(),
  cancelled: z.boolean(),
});
export type KnownEvent = z.infer<typeof knownEvent>;

export const uidsFound = z.object({
  known: z.array(knownEvent),
  /** UIDs that were not looked up, because the others have many days. Look them up next. */
  unread: z.array(z.string()),
  /** Send it with the rows, so that they are rejected if another calendar was imported into the source since. */
  seen: z.string(),
});
export type UidsFound = z.infer<typeof uidsFound>;

/** The events of a calendar, to find those of the last import that it no longer has. */
export const eventsOfCalendar = z.object({
  source_id: z.string(),
  event_ids: z.array(z.string().max(100)).max(CALENDAR_EVENTS),
});
export type EventsOfCalendar = z.infer<typeof eventsOfCalendar>;

/** Upcoming events of the last import that a calendar does not have. `events`: the first of them. */
export const goneEvents = z.object({
  count: z.number(),
  events: z.array(z.object({ title: z.string(), starts_at: instantText })),
});
export type GoneEvents = z.infer<typeof goneEvents>;

export const cellError = z.object({
  /** The field of the event; null: the error concerns the whole row. */
  field: z.string().nullable(),
  detail: z.string(),
});
export type CellError = z.infer<typeof cellError>;

export const checkedRow = z.discriminatedUnion('verdict', [
  /** Rows about the same event have the same `event_id`. */
  z.object({
    row: z.number(),
    /** `unchanged`: the event is already as in the row. `nothing`: the row cancels an event that does not exist. */
    verdict: z.enum(['new', 'update', 'unchanged', 'cancel', 'nothing']),
    event_id: z.string(),
  }),
  z.object({ row: z.number(), verdict: z.literal('bad'), errors: z.array(cellError) }),
]);
export type CheckedRow = z.infer<typeof checkedRow>;

/** One verdict per row, in the same order. Nothing was changed. */
export const importChecked = z.object({ rows: z.array(checkedRow) });
export type ImportChecked = z.infer<typeof importChecked>;

/** Part of a file. Idempotent for an hour: the same rows with the same `import_id` have one effect. */
export const importRows = z.object({
  source_id: z.string(),
  import_id: z
    .string()
    .regex(/^[\w-]{8,64}$/, 'Send 8 to 64 letters, digits, - or _, unique to this import.'),
  /** Default: csv. */
  format: z.enum(IMPORT_FORMATS).optional(),
  /** Shown in the audit log. */
  file_name: z.string().max(200),
  /** The `seen` of the first lookup of UIDs that the rows were planned with. */
  seen: z.string().max(64).optional(),
  rows,
});
export type ImportRows = z.infer<typeof importRows>;

/** The URL of an iCalendar feed. It is fetched once. */
export const feedToRead = z.object({ url: z.string().min(1).max(2000) });
export type FeedToRead = z.infer<typeof feedToRead>;

/** The feed's content, parsed like a file. Its host serves as its name, because the whole URL may be a secret. */
export const feedText = z.object({
  host: z.string(),
  text: z.string(),
  /** Sentences about its encoding. */
  decoding: z.array(z.string()),
});
export type FeedText = z.infer<typeof feedText>;

/** Identifies an import of the account. */
export const importName = z.object({ source_id: z.string(), import_id: z.string().max(64) });
export type ImportName = z.infer<typeof importName>;

export const importItem = z.object({
  ...importName.shape,
  source_name: z.string(),
  file_name: z.string(),
  format: z.enum(IMPORT_FORMATS),
  imported_at: instantText,
  /** E-mail address. */
  imported_by: z.string(),
  /** The number of distinct events in the accepted rows. */
  events: z.number(),
  undone_at: instantText.nullable(),
});
export type ImportItem = z.infer<typeof importItem>;

/** null: no import yet, or it was deleted along with the delivery log's retention. */
export const lastImport = z.object({ import: importItem.nullable() });
export type LastImport = z.infer<typeof lastImport>;

const leftAlone = z.object({ event_id: z.string(), title: z.string(), starts_at: instantText });

/** The effect of an undo, before or after it runs. */
export const undoEffect = z.object({
  /** Events that the import created. */
  deleted: z.number(),
  /** Events that return to their state before the import. */
  restored: z.number(),
  /** Events that were changed after the import, so the undo keeps them. */
  left: z.number(),
  /** The first of the kept events. */
  left_events: z.array(leftAlone).max(UNDO_LEFT_SHOWN),
  /** Events without a change to undo: rows not applied yet, undone earlier, or that found nothing to cancel. */
  untouched: z.number(),
});
export type UndoEffect = z.infer<typeof undoEffect>;

export const importUndone = z.object({
  ...undoEffect.shape,
  /** Events that were rejected because the plan has no upserts left. */
  refused: z.number(),
});
export type ImportUndone = z.infer<typeof importUndone>;

/** Accepted rows have their place in the order. They are applied shortly, like actions from the webhook. */
export const importAccepted = z.object({
  accepted: z.number(),
  refused: z.array(z.object({ row: z.number(), code: z.enum(PROBLEM_CODES), detail: z.string() })),
});
export type ImportAccepted = z.infer<typeof importAccepted>;
