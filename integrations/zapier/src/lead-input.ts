import type { Bundle, ZObject } from 'zapier-platform-core';
import { readList } from './api';

/** The custom fields have this before their name, so that no custom field takes the place of another input. */
const CUSTOM = 'fields.';

const TEXTS = ['name', 'company', 'email', 'phone', 'external_id', 'note', 'stage'] as const;

export const LEAD_ID = {
  key: 'lead_id',
  label: 'Lead',
  required: true,
  search: 'find_lead.id',
  helpText: 'The ID of a lead, from the trigger or from the step **Find Lead**.',
} as const;

const STANDARD_FIELDS = [
  { key: 'name', label: 'Name' },
  { key: 'company', label: 'Company' },
  { key: 'email', label: 'Email' },
  { key: 'phone', label: 'Phone' },
  { key: 'external_id', label: 'External ID', helpText: 'The ID of the lead in your own system.' },
  { key: 'stage', label: 'Stage', dynamic: 'stages.id.name' },
  { key: 'tags', label: 'Tags', list: true },
  { key: 'note', label: 'Note', type: 'text' as const },
];

const TYPES = { number: 'number', boolean: 'boolean', datetime: 'datetime' } as const;

/** The custom fields of the account, with their types. */
async function customFields(z: ZObject, bundle: Bundle) {
  const fields = await readList(z, bundle, '/leads/fields');
  return fields
    .filter(({ key }) => String(key).startsWith(CUSTOM))
    .map(({ key, label, type }) => ({
      key: String(key),
      label: String(label),
      type: TYPES[type as keyof typeof TYPES] ?? ('string' as const),
    }));
}

/** The inputs of every action that writes a lead. */
export const leadInputs = [...STANDARD_FIELDS, customFields];

/** Whether an input has a value. The API removes spaces around texts. */
export function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && String(value).trim() !== '';
}

/** A number that was mapped into an input of text, such as a phone number from a sheet, becomes a text. */
export function asText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

/** The body of a write. An input that is empty is left out, and so keeps its value. */
export function leadBody({ inputData }: Pick<Bundle, 'inputData'>): Record<string, unknown> {
  const texts = TEXTS.filter((name) => isFilled(inputData[name])).map((name) => [
    name,
    asText(inputData[name]),
  ]);
  const custom = Object.entries(inputData)
    .filter(([key, value]) => key.startsWith(CUSTOM) && isFilled(value))
    .map(([key, value]) => [key.slice(CUSTOM.length), value]);
  const tags = [inputData.tags ?? []].flat().filter(isFilled).map(asText);
  return {
    ...Object.fromEntries(texts),
    ...(tags.length > 0 && { tags }),
    ...(custom.length > 0 && { fields: Object.fromEntries(custom) }),
  };
}

/** The fields to clear, chosen by the user. */
export const CLEAR_FIELD = {
  key: 'clear',
  label: 'Clear Fields',
  list: true,
  dynamic: 'clearable_fields.id.name',
  helpText: 'Removes the values of these fields, unless their inputs have new ones.',
} as const;

/** The body of an update: the chosen fields are cleared by null, and inputs that have a value are written. */
export function leadPatch(bundle: Pick<Bundle, 'inputData'>): Record<string, unknown> {
  const chosen = [bundle.inputData.clear ?? []].flat().filter(isFilled).map(String);
  const nulls = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, null]));
  const custom = chosen.filter((key) => key.startsWith(CUSTOM)).map((key) => key.slice(CUSTOM.length));
  const { fields, ...body } = leadBody(bundle);
  const merged = { ...nulls(custom), ...(fields as object | undefined) };
  return {
    ...nulls(chosen.filter((key) => !key.startsWith(CUSTOM))),
    ...body,
    ...(Object.keys(merged).length > 0 && { fields: merged }),
  };
}
