import type { ImportRow } from '@sluice/dashboard-api/imports';
import { IMPORT_CELL_LENGTH } from '@sluice/dashboard-api/limits';
import type { ImportTable, TableRow } from './import-table.ts';

export type Field = keyof ImportRow['event'];

/** The fields a column can map to, with the names that identify it: lower-case letters and digits only. */
export const FIELDS: readonly { readonly name: Field; readonly label: string; readonly known: string }[] = [
  { name: 'title', label: 'Title', known: 'title name event eventname eventtitle subject summary' },
  {
    name: 'starts_at',
    label: 'Starts',
    known: 'startsat start starts startat starttime startdate begin begins date datetime dtstart from',
  },
  { name: 'ends_at', label: 'Ends', known: 'endsat end ends endat endtime enddate dtend until to' },
  { name: 'location', label: 'Location', known: 'location place venue city address where' },
  { name: 'description', label: 'Description', known: 'description details text notes' },
  { name: 'url', label: 'URL', known: 'url link website page' },
  { name: 'price', label: 'Price', known: 'price cost fee admission' },
  { name: 'recurring', label: 'Recurring', known: 'recurring recurrence repeat repeats rrule' },
  { name: 'status', label: 'Status', known: 'status state' },
];

export const REQUIRED: readonly Field[] = ['title', 'starts_at'];

/** The properties of a calendar as columns, each with its fixed field. */
export const CALENDAR_COLUMNS = [
  { property: 'SUMMARY', field: 'title' },
  { property: 'DTSTART', field: 'starts_at' },
  { property: 'DTEND', field: 'ends_at' },
  { property: 'LOCATION', field: 'location' },
  { property: 'DESCRIPTION', field: 'description' },
  { property: 'URL', field: 'url' },
  { property: 'RRULE', field: 'recurring' },
  { property: 'STATUS', field: 'status' },
] as const satisfies readonly { readonly property: string; readonly field: Field }[];

/** The column index of each field; absent if the file has none. */
export type Mapping = Readonly<Partial<Record<Field, number>>>;

/** Guesses the column of each field. A column maps to at most one field. */
export function guessMapping({ format, columns }: Pick<ImportTable, 'format' | 'columns'>): Mapping {
  if (format === 'ical')
    return Object.fromEntries(CALENDAR_COLUMNS.map(({ field }, index) => [field, index]));
  const names = columns.map((column) => column.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const guesses = FIELDS.flatMap(({ name, known }) => {
    const found = known.split(' ').find((one) => names.includes(one));
    return found === undefined ? [] : [[name, names.indexOf(found)] as const];
  });
  return Object.fromEntries(guesses);
}

export function missingFields(mapping: Mapping): Field[] {
  return REQUIRED.filter((field) => mapping[field] === undefined);
}

/** The fields that identify an event. A cancel needs only these. */
const IDENTITY: readonly Field[] = ['title', 'starts_at', 'location'];

/** Converts a row for the API, without its empty cells. */
export function toImportRow(mapping: Mapping, { row, cells, calendar }: TableRow): ImportRow {
  const cancels = calendar?.cancels === true;
  const event: Partial<Record<Field, string>> = {};
  for (const { name } of FIELDS) {
    if (cancels && !IDENTITY.includes(name)) continue;
    const column = mapping[name];
    const text = column === undefined ? '' : (cells[column] ?? '').trim();
    if (text !== '') event[name] = text.slice(0, IMPORT_CELL_LENGTH);
  }
  return { row, ...(cancels && { action: 'cancel' as const }), event };
}
