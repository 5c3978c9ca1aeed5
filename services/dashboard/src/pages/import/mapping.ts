import type { ImportRow } from '@sluice/dashboard-api/imports';
import { IMPORT_CELL_LENGTH } from '@sluice/dashboard-api/limits';
import type { ImportTable, TableRow } from './import-table.ts';

export type Field = keyof ImportRow['event'];

/** What a column can be, with the names by which it is recognised: letters and digits only, in lower case. */
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

/** The properties of a calendar as columns, with the fields that they always are. */
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

/** The column of each field, counted from 0; absent where the file has none. */
export type Mapping = Readonly<Partial<Record<Field, number>>>;

/** Which column is probably which field. Each column is one field at most. */
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

/** What says which event is meant: all that a cancel needs. */
const IDENTITY: readonly Field[] = ['title', 'starts_at', 'location'];

/** A row of the file as the API takes it. Empty cells are left out. */
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
