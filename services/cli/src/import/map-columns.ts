import type { ImportTable } from '@sluice/import/read/import-table';
import { FIELDS, guessMapping, type Mapping, missingFields } from '@sluice/import/read/mapping';
import { failed, wrongUsage } from '../exit-codes.ts';

/** Guesses the field of each column, and applies the `COLUMN=FIELD` of --map. Throws if a needed field has no column. */
export function mapColumns(table: ImportTable, options: readonly string[]): Mapping {
  if (table.format === 'ical' && options.length > 0)
    throw wrongUsage('--map is for CSV files. The fields of a calendar are known.');
  let mapping = guessMapping(table);
  for (const option of options) mapping = withOption(mapping, table.columns, option);
  const missing = missingFields(mapping);
  if (missing.length === 0) return mapping;
  const columns = table.columns.map((name) => `"${name}"`).join(', ');
  throw failed(
    `No column is known to be ${missing.join(' or ')}. Add --map COLUMN=${missing[0]}. The columns are: ${columns}`,
  );
}

function withOption(mapping: Mapping, columns: readonly string[], option: string): Mapping {
  const at = option.lastIndexOf('=');
  const [name, field] = [option.slice(0, at).trim(), option.slice(at + 1).trim()];
  const known = FIELDS.find((one) => one.name === field);
  if (at === -1 || known === undefined)
    throw wrongUsage(
      `--map ${option}: write COLUMN=FIELD, with one of these fields: ${FIELDS.map((one) => one.name).join(', ')}`,
    );
  const index = indexOf(columns, name);
  if (index === -1)
    throw wrongUsage(
      `--map ${option}: the file has no column "${name}". It has: ${columns.map((one) => `"${one}"`).join(', ')}`,
    );
  // A column has one field at most.
  const others = Object.entries(mapping).filter(([, column]) => column !== index);
  return { ...Object.fromEntries(others), [known.name]: index };
}

function indexOf(columns: readonly string[], name: string): number {
  const exact = columns.findIndex((one) => one.trim() === name);
  return exact === -1 ? columns.findIndex((one) => one.trim().toLowerCase() === name.toLowerCase()) : exact;
}
