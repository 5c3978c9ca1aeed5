import { IMPORT_FORMATS } from '@sluice/contract/event-fields';
import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem';
import * as z from 'zod';
import { instantText } from './common.ts';
import { IMPORT_BATCH_ROWS, IMPORT_CELL_LENGTH, UNDO_LEFT_SHOWN } from './limits.ts';

const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

/** A cell as the file has it: what it may hold is for the parser of actions to say. */
const cell = z.string().max(IMPORT_CELL_LENGTH).optional();

/** Fields of an event that a column can be (service.md 2.4). */
const importedEvent = z.object({
  title: cell,
  starts_at: cell,
  ends_at: cell,
  location: cell,
  description: cell,
  url: cell,
  price: cell,
  recurring: cell,
  status: cell,
});

const importRow = z.object({
  /** Where it stands in the file: of a CSV file the row, where that of the column names is 1; of a calendar the event. */
  row: z.number().int().min(1).max(1_000_000),
  /** Default: upsert. */
  action: z.enum(['upsert', 'cancel']).optional(),
  event: importedEvent,
});
export type ImportRow = z.infer<typeof importRow>;

const rows = z.array(importRow).min(1).max(IMPORT_BATCH_ROWS);

/** Part of a file, to be looked at only. */
export const importCheck = z.object({ source_id: z.string(), rows });
export type ImportCheck = z.infer<typeof importCheck>;

export const cellError = z.object({
  /** The field of the event; null: the row as a whole. */
  field: z.string().nullable(),
  detail: z.string(),
});
export type CellError = z.infer<typeof cellError>;

export const checkedRow = z.discriminatedUnion('verdict', [
  /** `event_id` is the same for rows that are about the same event. */
  z.object({
    row: z.number(),
    /** `nothing`: it cancels an event that is not there. */
    verdict: z.enum(['new', 'update', 'cancel', 'nothing']),
    event_id: z.string(),
  }),
  z.object({ row: z.number(), verdict: z.literal('bad'), errors: z.array(cellError) }),
]);
export type CheckedRow = z.infer<typeof checkedRow>;

/** A verdict on each row, in their order. Nothing was changed. */
export const importChecked = z.object({ rows: z.array(checkedRow) });
export type ImportChecked = z.infer<typeof importChecked>;

/** Part of a file. The same rows again with the same `import_id` have one effect, for an hour. */
export const importRows = z.object({
  source_id: z.string(),
  import_id: z
    .string()
    .regex(/^[\w-]{8,64}$/, 'Send 8 to 64 letters, digits, - or _, made up for this import.'),
  /** Default: csv. */
  format: z.enum(IMPORT_FORMATS).optional(),
  /** For the audit log. */
  file_name: z.string().max(200),
  rows,
});
export type ImportRows = z.infer<typeof importRows>;

/** The address of an iCalendar feed, which is fetched once. */
export const feedToRead = z.object({ url: z.string().min(1).max(2000) });
export type FeedToRead = z.infer<typeof feedToRead>;

/** What the feed is, to be read as a file is; its host stands for its name, as the whole address may be a secret. */
export const feedText = z.object({ host: z.string(), text: z.string() });
export type FeedText = z.infer<typeof feedText>;

/** Names an import of the account. */
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
  /** How many events its accepted rows are about. */
  events: z.number(),
  undone_at: instantText.nullable(),
});
export type ImportItem = z.infer<typeof importItem>;

/** null: there was none, or it is forgotten, as the delivery log is. */
export const lastImport = z.object({ import: importItem.nullable() });
export type LastImport = z.infer<typeof lastImport>;

const leftAlone = z.object({ event_id: z.string(), title: z.string(), starts_at: instantText });

/** What an undo does, or did. */
export const undoEffect = z.object({
  /** Events that were new. */
  deleted: z.number(),
  /** Events that go back to what they were before. */
  restored: z.number(),
  /** Events that something newer has changed since. */
  left: z.number(),
  /** The first of those. */
  left_events: z.array(leftAlone).max(UNDO_LEFT_SHOWN),
  /** Events that the import has not changed: its rows are still to be applied, were undone already, or found nothing to cancel. */
  untouched: z.number(),
});
export type UndoEffect = z.infer<typeof undoEffect>;

export const importUndone = z.object({
  ...undoEffect.shape,
  /** Events that the plan has no upsert left for. */
  refused: z.number(),
});
export type ImportUndone = z.infer<typeof importUndone>;

/** Accepted rows have their place in the order and are applied in a moment, as what comes by the webhook is. */
export const importAccepted = z.object({
  accepted: z.number(),
  refused: z.array(z.object({ row: z.number(), code: z.enum(PROBLEM_CODES), detail: z.string() })),
});
export type ImportAccepted = z.infer<typeof importAccepted>;
