import * as z from 'zod';
import { instantText } from './common.ts';
import { cellError } from './imports.ts';
import { LEAD_MATCHES } from './lead-names.ts';
import { IMPORT_CELL_LENGTH, LEAD_IMPORT_BATCH_ROWS, UNDO_LEFT_SHOWN } from './limits.ts';

/** A cell, unchanged from the file. */
const cell = z.string().max(IMPORT_CELL_LENGTH).optional();

/** The longest name of a column. */
const COLUMN_LENGTH = 200;

/**
 * Read by hand: a record of zod leaves out `__proto__`, so that column would be lost without an error of its row. And it costs ten
 * times as much, while a request may have 100,000 cells.
 */
const customCells = z.custom<Readonly<Record<string, string>>>().check(({ value, issues }) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return void issues.push({ code: 'invalid_type', expected: 'record', input: value });
  for (const [column, text] of Object.entries<unknown>(value)) {
    const place = { path: [column], input: text };
    if (typeof text !== 'string') issues.push({ ...place, code: 'invalid_type', expected: 'string' });
    else if (text.length > IMPORT_CELL_LENGTH || column.length > COLUMN_LENGTH)
      issues.push({
        ...place,
        code: 'too_big',
        origin: 'string',
        maximum: column.length > COLUMN_LENGTH ? COLUMN_LENGTH : IMPORT_CELL_LENGTH,
        inclusive: true,
      });
  }
});

/** The columns of a row. `tags` are separated by commas; `stage` is the name or the id of a stage. */
const importedLead = z.strictObject({
  name: cell,
  company: cell,
  email: cell,
  phone: cell,
  stage: cell,
  external_id: cell,
  tags: cell,
  note: cell,
  /** Custom fields: the name of the field and its cell. */
  fields: customCells.optional(),
});

const importRow = z.object({
  /** Line number in the file; the header is 1. */
  row: z.number().int().min(1).max(1_000_000),
  /** The lead that an export of Sluice names. If it does not exist, the row finds its lead like any other. */
  lead_id: z.string().max(100).optional(),
  lead: importedLead,
});
export type LeadImportRow = z.infer<typeof importRow>;

const rows = z.array(importRow).min(1).max(LEAD_IMPORT_BATCH_ROWS);
/** The first field that matches wins. Empty: each row makes a new lead. */
const match_on = z.array(z.enum(LEAD_MATCHES)).max(LEAD_MATCHES.length);

export const leadImportCheck = z.object({ match_on, rows });
export type LeadImportCheck = z.infer<typeof leadImportCheck>;

/** Sentences: each names what of the row was left out. */
const notes = z.array(z.string());

export const checkedLeadRow = z.discriminatedUnion('verdict', [
  z.object({
    row: z.number(),
    notes,
    verdict: z.literal('new'),
    lead_id: z.null(),
    /** The values by which other rows find the lead of this one, in the form in which they are compared. */
    has: z.array(z.string()),
    /** The values by which this row finds a lead. */
    seeks: z.array(z.string()),
  }),
  /** `same`: the lead exists and the row changes nothing. */
  z.object({ row: z.number(), notes, verdict: z.enum(['update', 'same']), lead_id: z.string().nullable() }),
  z.object({ row: z.number(), verdict: z.literal('bad'), errors: z.array(cellError) }),
]);
export type CheckedLeadRow = z.infer<typeof checkedLeadRow>;

/** One verdict per row, in the same order. Nothing was changed. */
export const leadImportChecked = z.object({ rows: z.array(checkedLeadRow) });
export type LeadImportChecked = z.infer<typeof leadImportChecked>;

const importId = z
  .string()
  .regex(/^[\w-]{8,64}$/, 'Send 8 to 64 letters, digits, - or _, unique to this import.');

/** Part of a file. Idempotent: the same rows with the same `import_id` have one effect. */
export const leadImportRows = z.object({
  import_id: importId,
  file_name: z.string().max(200),
  match_on,
  rows,
});
export type LeadImportRows = z.infer<typeof leadImportRows>;

export const leadsImported = z.object({
  created: z.number(),
  updated: z.number(),
  /** Rows that changed nothing. */
  unchanged: z.number(),
  refused: z.array(z.object({ row: z.number(), detail: z.string() })),
});
export type LeadsImported = z.infer<typeof leadsImported>;

export const leadImportName = z.object({ import_id: z.string().max(64) });
export type LeadImportName = z.infer<typeof leadImportName>;

export const leadImportItem = z.object({
  import_id: z.string(),
  file_name: z.string(),
  imported_at: instantText,
  /** E-mail address. */
  imported_by: z.string(),
  /** The number of distinct leads that the import created or changed. */
  leads: z.number(),
  undone_at: instantText.nullable(),
});
export type LeadImportItem = z.infer<typeof leadImportItem>;

/** null: no import yet, or it was deleted along with the delivery log's retention. */
export const lastLeadImport = z.object({ import: leadImportItem.nullable() });
export type LastLeadImport = z.infer<typeof lastLeadImport>;

/** The effect of an undo, before or after it runs. */
export const leadUndo = z.object({
  /** Leads that the import created. */
  erased: z.number(),
  /** Leads that return to their state before the import. */
  restored: z.number(),
  /** Leads that were changed after the import, so the undo keeps them. */
  left: z.number(),
  /** The first of the kept leads. */
  left_leads: z.array(z.object({ id: z.string(), name: z.string() })).max(UNDO_LEFT_SHOWN),
  /** Leads without a change to undo: undone earlier, or erased. */
  untouched: z.number(),
});
export type LeadUndo = z.infer<typeof leadUndo>;

/** One portion of an undo. Repeat it with `next` until it is null. */
export const leadUndoPortion = z.object({ ...leadUndo.shape, next: z.number().nullable() });
export type LeadUndoPortion = z.infer<typeof leadUndoPortion>;

export const leadUndoRequest = z.object({
  ...leadImportName.shape,
  from: z.number().int().min(0).optional(),
});
export type LeadUndoRequest = z.input<typeof leadUndoRequest>;
