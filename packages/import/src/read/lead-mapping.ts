import type { LeadImportRow } from '@sluice/dashboard-api/lead-imports';
import { IMPORT_CELL_LENGTH } from '@sluice/dashboard-api/limits';
import { guessColumns, type KnownField, plainName } from './guess-columns.ts';
import type { TableRow } from './import-table.ts';

export type LeadField = Exclude<keyof LeadImportRow['lead'], 'fields'>;

/** The fields a column can map to. */
export const LEAD_FIELDS: readonly KnownField<LeadField>[] = [
  { name: 'name', label: 'Name', known: 'name fullname contact contactname person lead customer' },
  {
    name: 'company',
    label: 'Company',
    known: 'company companyname organization organisation account firm employer',
  },
  { name: 'email', label: 'Email', known: 'email emailaddress mail emails' },
  { name: 'phone', label: 'Phone', known: 'phone phonenumber telephone tel mobile mobilephone cell' },
  { name: 'stage', label: 'Stage', known: 'stage pipelinestage dealstage leadstage status leadstatus' },
  { name: 'external_id', label: 'External ID', known: 'externalid id recordid contactid leadid' },
  { name: 'tags', label: 'Tags', known: 'tags tag labels label' },
  { name: 'note', label: 'Note', known: 'note notes comment comments description' },
];

/** One of these must have a column, because a lead needs at least one of them. */
const IDENTIFYING: readonly LeadField[] = ['name', 'email', 'phone', 'external_id'];

export interface LeadMapping {
  /** The column index of each field; absent if the file has none. */
  readonly fields: Readonly<Partial<Record<LeadField, number>>>;
  /** Columns that become custom fields, under their names. */
  readonly custom: readonly number[];
  /** The columns of a name in parts, in the order of the name. They count if no column has the whole name. */
  readonly nameParts?: readonly number[];
  /** The column with the ids of leads, in an export of Sluice. */
  readonly leadId?: number;
}

/** The columns of an export of Sluice. Its custom fields follow. */
export const LEAD_EXPORT_COLUMNS = [
  ...['name', 'company', 'email', 'phone', 'phone_e164', 'stage', 'external_id', 'tags', 'note'],
  ...['origin', 'id', 'conversation_id', 'created_at', 'updated_at', 'stage_changed_at'],
] as const;

/** Most programs export a name in two columns. */
const NAME_PARTS = [
  'firstname givenname forename vorname prenom',
  'middlename additionalname',
  'lastname surname familyname nachname nomdefamille',
];

/** Guesses the column of each field. Other columns are left out until the user chooses them, except in an export of Sluice. */
export function guessLeadMapping(columns: readonly string[]): LeadMapping {
  const names = columns.map(plainName);
  if (LEAD_EXPORT_COLUMNS.every((name, index) => columns[index]?.trim() === name)) {
    const custom = freeColumns(columns, { fields: {}, custom: [] }).map(({ index }) => index);
    return {
      fields: guessColumns(LEAD_FIELDS, names),
      custom: custom.slice(LEAD_EXPORT_COLUMNS.length),
      leadId: LEAD_EXPORT_COLUMNS.indexOf('id'),
    };
  }
  const nameParts = NAME_PARTS.map((known) => names.findIndex((name) => known.split(' ').includes(name)));
  return {
    fields: guessColumns(LEAD_FIELDS, names),
    custom: [],
    nameParts: nameParts.filter((index) => index !== -1),
  };
}

/** The columns that make the name together, if no column has the whole name. */
export function usedParts({ fields, custom, nameParts = [] }: LeadMapping): readonly number[] {
  if (fields.name !== undefined) return [];
  const used = new Set([...Object.values(fields), ...custom]);
  return nameParts.filter((index) => !used.has(index));
}

/** The names of the columns that an import leaves out. */
export function leftOutColumns(columns: readonly string[], mapping: LeadMapping): string[] {
  const used = new Set([...usedParts(mapping), ...mapping.custom]);
  const free = freeColumns(columns, mapping).filter(({ index }) => !used.has(index));
  return mapping.leadId === undefined ? free.map(({ name }) => name) : [];
}

export function isComplete(mapping: LeadMapping): boolean {
  return usedParts(mapping).length > 0 || IDENTIFYING.some((field) => mapping.fields[field] !== undefined);
}

/**
 * The names of columns as custom fields. Of several columns with one name, each further one has a number: `Budget (2)`. So no
 * column replaces another.
 */
export function columnNames(columns: readonly string[]): readonly string[] {
  const trimmed = columns.map((name) => name.trim());
  const taken = new Set(trimmed);
  return trimmed.map((name, index) => {
    if (name === '' || trimmed.indexOf(name) === index) return name;
    let number = 2;
    while (taken.has(`${name} (${number})`)) number += 1;
    taken.add(`${name} (${number})`);
    return `${name} (${number})`;
  });
}

/** The columns that no field uses and that have a name, so that they can become custom fields. */
export function freeColumns(
  columns: readonly string[],
  { fields }: LeadMapping,
): { index: number; name: string }[] {
  const used = new Set(Object.values(fields));
  return columnNames(columns)
    .map((name, index) => ({ index, name }))
    .filter(({ index, name }) => name !== '' && !used.has(index));
}

/** Converts a row for the API, without its empty cells. */
export function toLeadRow(
  columns: readonly string[],
  mapping: LeadMapping,
  { row, cells }: TableRow,
): LeadImportRow {
  const cellAt = (column: number | undefined) =>
    column === undefined ? '' : (cells[column] ?? '').trim().slice(0, IMPORT_CELL_LENGTH);
  const known = LEAD_FIELDS.map(({ name }) => [name, cellAt(mapping.fields[name])] as const);
  const name = usedParts(mapping).map(cellAt).filter(Boolean).join(' ');
  const custom = freeColumns(columns, mapping)
    .filter(({ index }) => mapping.custom.includes(index))
    .map(({ index, name }) => [name, cellAt(index)] as const)
    .filter(([, text]) => text !== '');
  const leadId = cellAt(mapping.leadId);
  return {
    row,
    ...(leadId !== '' && { lead_id: leadId }),
    lead: {
      ...(name !== '' && { name: name.slice(0, IMPORT_CELL_LENGTH) }),
      ...Object.fromEntries(known.filter(([, text]) => text !== '')),
      ...(custom.length > 0 && { fields: Object.fromEntries(custom) }),
    },
  };
}
