import type { ImportRow } from '@sluice/contract/dashboard/imports';
import { IMPORT_CELL_LENGTH } from '@sluice/contract/dashboard/limits';
import type { CsvRow } from './read-csv.ts';

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
  { name: 'recurring', label: 'Recurring', known: 'recurring recurrence repeat repeats' },
  { name: 'status', label: 'Status', known: 'status state' },
];

export const REQUIRED: readonly Field[] = ['title', 'starts_at'];

/** The column of each field, counted from 0; absent where the file has none. */
export type Mapping = Readonly<Partial<Record<Field, number>>>;

/** Which column is probably which field. Each column is one field at most. */
export function guessMapping(columns: readonly string[]): Mapping {
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

/** A row of the file as the API takes it. Empty cells are left out. */
export function toImportRow(mapping: Mapping, { row, cells }: CsvRow): ImportRow {
  const event: Partial<Record<Field, string>> = {};
  for (const { name } of FIELDS) {
    const column = mapping[name];
    const text = column === undefined ? '' : (cells[column] ?? '').trim();
    if (text !== '') event[name] = text.slice(0, IMPORT_CELL_LENGTH);
  }
  return { row, event };
}
