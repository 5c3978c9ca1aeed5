import { type LeadInput, leadInput } from '@sluice/contract/lead/lead';
import type { CellError } from '@sluice/dashboard-api/imports';
import type { LeadImportRow } from '@sluice/dashboard-api/lead-imports';
import type { CustomFieldType, LeadSettings } from '@sluice/store/leads/lead-settings';
import { noSuchStage, stageByText } from '../fields/read-stage.ts';

export type ReadLeadRow = { readonly row: number } & (
  | { readonly outcome: 'readable'; readonly input: LeadInput }
  | { readonly outcome: 'bad'; readonly errors: CellError[] }
);

/** Parses a row with the schema of the public API, so that both accept the same values. */
export function readLeadRow({ row, lead }: LeadImportRow, settings: LeadSettings): ReadLeadRow {
  const { stage, tags, fields, ...texts } = lead;
  const stageId = stage === undefined ? undefined : stageByText(stage, settings);
  const input = {
    ...texts,
    ...(stageId !== undefined && { stage: stageId }),
    ...(tags !== undefined && { tags: splitTags(tags) }),
    ...(fields !== undefined && { fields: typedFields(fields, settings) }),
  };
  const read = leadInput.safeParse(input);
  const errors: CellError[] = read.success
    ? []
    : read.error.issues.map(({ path, message }) => ({ field: fieldOf(path), detail: message }));
  if (stage !== undefined && stageId === undefined)
    errors.push({ field: 'stage', detail: noSuchStage(stage, settings) });
  return read.success && errors.length === 0
    ? { row, outcome: 'readable', input: read.data }
    : { row, outcome: 'bad', errors };
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
