import {
  columnNames,
  guessLeadMapping,
  LEAD_FIELDS,
  type LeadField,
  type LeadMapping,
} from '@sluice/import/read/lead-mapping';
import { wrongUsage } from '../exit-codes.ts';

/** A column and its field: a field of a lead, `custom`, or nothing. */
export type MappedColumn = readonly [column: string, field: string];

const FIELD_NAMES = LEAD_FIELDS.map(({ name }) => name);

/**
 * The guessed mapping with the given columns changed. `custom` makes a custom field with the name of the column; an empty
 * field leaves the column out. Throws wrong usage for an unknown column or field.
 */
export function mapColumns(columns: readonly string[], mapped: readonly MappedColumn[]): LeadMapping {
  const guessed = guessLeadMapping(columns);
  const fields: Partial<Record<LeadField, number>> = { ...guessed.fields };
  let custom = [...guessed.custom];
  const names = columnNames(columns);
  const nameParts = new Set(guessed.nameParts);
  for (const [column, field] of mapped) {
    const index = names.indexOf(column.trim());
    if (index === -1)
      throw wrongUsage(`--map: There is no column "${column}". The columns are: ${names.join(', ')}.`);
    nameParts.delete(index);
    custom = custom.filter((one) => one !== index);
    for (const name of FIELD_NAMES) if (fields[name] === index) delete fields[name];
    if (field === 'custom') custom.push(index);
    else if (field !== '') fields[fieldNamed(field)] = index;
  }
  return { ...guessed, fields, custom, nameParts: [...nameParts] };
}

function fieldNamed(text: string): LeadField {
  const found = FIELD_NAMES.find((name) => name === text);
  if (found !== undefined) return found;
  throw wrongUsage(`--map: There is no field "${text}". The fields are: ${FIELD_NAMES.join(', ')}, custom.`);
}
