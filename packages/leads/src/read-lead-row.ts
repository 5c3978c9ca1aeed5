import { type LeadInput, leadInput } from '@sluice/contract/lead';
import type { CellError } from '@sluice/dashboard-api/imports';
import type { LeadImportRow } from '@sluice/dashboard-api/lead-imports';
import type { CustomFieldType, LeadSettings } from '@sluice/store/lead-settings';

export type ReadLeadRow = { readonly row: number } & (
  | { readonly outcome: 'readable'; readonly input: LeadInput }
  | { readonly outcome: 'bad'; readonly errors: CellError[] }
);

/** Parses a row with the schema of the public API, so that both accept the same values. */
export function readLeadRow({ row, lead }: LeadImportRow, settings: LeadSettings): ReadLeadRow {
  const { stage, tags, fields, ...texts } = lead;
  const stageId = stage === undefined ? undefined : stageOf(stage, settings);
  const input = {
    ...texts,
    ...(stageId !== undefined && { stage: stageId }),
    ...(tags !== undefined && { tags: tagsOf(tags) }),
    ...(fields !== undefined && { fields: typedFields(fields, settings) }),
  };
  const read = leadInput.safeParse(input);
  const errors: CellError[] = read.success
    ? []
    : read.error.issues.map(({ path, message }) => ({ field: fieldOf(path), detail: message }));
  if (stage !== undefined && stageId === undefined)
    errors.push({ field: 'stage', detail: noStage(stage, settings) });
  return read.success && errors.length === 0
    ? { row, outcome: 'readable', input: read.data }
    : { row, outcome: 'bad', errors };
}

/** A stage by its id or its name. A stage that is being retired takes no leads. */
function stageOf(text: string, { stages }: LeadSettings): string | undefined {
  const wanted = text.trim().toLowerCase();
  const open = stages.filter(({ retiring }) => retiring === undefined);
  return (open.find(({ id }) => id === text) ?? open.find(({ name }) => name.toLowerCase() === wanted))?.id;
}

function noStage(text: string, { stages }: LeadSettings): string {
  const names = stages.filter(({ retiring }) => retiring === undefined).map(({ name }) => name);
  return `No stage is named "${text.slice(0, 100)}". The stages are ${names.join(', ')}.`;
}

function tagsOf(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** A cell becomes a number, or yes or no, where the account's leads have such values in the field. */
function typedFields(
  fields: Readonly<Record<string, string>>,
  { custom_fields }: LeadSettings,
): Record<string, string | number | boolean> {
  const types = new Map(custom_fields.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, typed(text, types.get(name))]),
  );
}

function typed(text: string, type: CustomFieldType | undefined): string | number | boolean {
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false|yes|no)$/i.test(text)) return /^(true|yes)$/i.test(text);
  return text;
}

function fieldOf(path: readonly PropertyKey[]): string | null {
  const [field, name] = path;
  if (field === undefined) return null;
  return field === 'fields' && name !== undefined ? String(name) : String(field);
}
