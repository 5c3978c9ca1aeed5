import { type LeadInput, leadInput } from '@sluice/contract/lead/lead';
import type { CellError } from '@sluice/dashboard-api/imports';
import type { LeadImportRow } from '@sluice/dashboard-api/lead-imports';
import type { CustomFieldType, LeadSettings } from '@sluice/store/leads/lead-settings';
import { noSuchStage, stageByText } from '../fields/read-stage.ts';

export type ReadLeadRow = { readonly row: number } & (
  | {
      readonly outcome: 'readable';
      readonly input: LeadInput;
      /** The lead that the row names. It may not exist. */
      readonly leadId?: string | undefined;
      /** Sentences: each names what was left out. */
      readonly notes: string[];
    }
  | { readonly outcome: 'bad'; readonly errors: CellError[] }
);

/**
 * Parses a row with the schema of the public API, so that both accept the same values. Cells of other programs may have several
 * addresses, or a stage that is none here: what does not fit costs no row.
 */
export function readLeadRow({ row, lead_id, lead }: LeadImportRow, settings: LeadSettings): ReadLeadRow {
  const { stage, tags, fields, ...texts } = lead;
  const stageId = stage === undefined ? undefined : stageByText(stage, settings);
  const [emails, phones] = [emailsIn(texts.email), phonesIn(texts.phone)];
  const input = {
    ...texts,
    ...(emails.length > 0 && { email: emails[0] }),
    ...(phones.length > 1 && { phone: phones[0] }),
    ...(stageId !== undefined && { stage: stageId }),
    ...(tags !== undefined && { tags: splitTags(tags) }),
    ...(fields !== undefined && { fields: typedFields(fields, settings) }),
  };
  const read = leadInput.safeParse(input);
  const errors: CellError[] = read.success
    ? []
    : read.error.issues.map(({ path, message }) => ({ field: fieldOf(path), detail: message }));
  if (!read.success) return { row, outcome: 'bad', errors };
  const notes = [...othersLeftOut('email', emails), ...othersLeftOut('phone', phones)];
  if (stage !== undefined && stageId === undefined)
    notes.push(`${noSuchStage(stage, settings)} A new lead starts in the first one.`);
  return { row, outcome: 'readable', input: read.data, leadId: lead_id, notes };
}

/** The addresses in a cell, such as `ann@example.org ::: Ann <ann@home.example>`. */
function emailsIn(cell = ''): string[] {
  return [...new Set(cell.split(/[\s<>(),;:|"]+/).filter((part) => /.@./.test(part)))];
}

/** Fewer digits are an extension or an area code. */
const PHONE = /(?:\d\D*){6}/;

/** The numbers in a cell, such as `312-555-0122, 312-555-0199`. None if it may be one number. */
function phonesIn(cell = ''): string[] {
  const parts = cell.split(/:::|[,;|\n]| \/ /).map((part) => part.trim());
  return parts.every((part) => part === '' || PHONE.test(part)) ? [...new Set(parts.filter(Boolean))] : [];
}

function othersLeftOut(field: 'email' | 'phone', [first, ...others]: readonly string[]): string[] {
  if (others.length === 0) return [];
  return [`${field} is "${first}", the first of ${others.length + 1}. Left out: ${others.join(', ')}.`];
}

/** Tags as written in a cell, with commas between them. */
export function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** A cell becomes a number, or yes or no, where the account's leads have such values in the field. */
export function typedFields(
  fields: Readonly<Record<string, string>>,
  { custom_fields }: LeadSettings,
): Record<string, string | number | boolean> {
  const types = new Map(custom_fields.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, typed(text, types.get(name))]),
  );
}

function typed(text: string, type: CustomFieldType | undefined): string | number | boolean {
  // A zip code such as 01067 is no number.
  if (type === 'number' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false|yes|no)$/i.test(text)) return /^(true|yes)$/i.test(text);
  return text;
}

function fieldOf(path: readonly PropertyKey[]): string | null {
  const [field, name] = path;
  if (field === undefined) return null;
  return field === 'fields' && name !== undefined ? String(name) : String(field);
}
