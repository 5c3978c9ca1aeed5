import type { ImportRow } from '@sluice/dashboard-api/imports';
import type { ImportTable } from './import-table.ts';

/** A field of an event, or a part of one that spreadsheets keep in a separate column. */
export type Field = keyof ImportRow['event'] | 'starts_time' | 'ends_time' | 'all_day' | 'time_zone';

/** The fields a column can map to, with the names that identify it: lower-case letters and digits, without `event` before them. */
export const FIELDS: readonly { readonly name: Field; readonly label: string; readonly known: string }[] = [
  { name: 'title', label: 'Title', known: 'title name subject summary' },
  {
    name: 'starts_at',
    label: 'Starts',
    known:
      'startsat start starts startat startdatetime startdateandtime startdate begin begins begindate datetime dtstart date from starttime',
  },
  { name: 'starts_time', label: 'Start time', known: 'starttime startstime begintime timefrom time' },
  {
    name: 'ends_at',
    label: 'Ends',
    known: 'endsat end ends endat enddatetime enddateandtime enddate dtend until to endtime',
  },
  { name: 'ends_time', label: 'End time', known: 'endtime endstime timeto' },
  { name: 'all_day', label: 'All day', known: 'alldayevent allday wholeday' },
  { name: 'time_zone', label: 'Time zone', known: 'timezone tz zone' },
  { name: 'location', label: 'Location', known: 'location place venue venuename city address where' },
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
] as const satisfies readonly { readonly property: string; readonly field: keyof ImportRow['event'] }[];

/** The column index of each field; absent if the file has none. */
export type Mapping = Readonly<Partial<Record<Field, number>>>;

/** Guesses the column of each field. A column maps to at most one field. */
export function guessMapping({ format, columns }: Pick<ImportTable, 'format' | 'columns'>): Mapping {
  if (format === 'ical')
    return Object.fromEntries(CALENDAR_COLUMNS.map(({ field }, index) => [field, index]));
  const names = columns.map(plainName);
  const used = new Set<number>();
  const guesses = FIELDS.flatMap(({ name, known }) => {
    const index = known
      .split(' ')
      .map((one) => names.findIndex((column, at) => column === one && !used.has(at)))
      .find((at) => at !== -1);
    if (index === undefined) return [];
    used.add(index);
    return [[name, index] as const];
  });
  return Object.fromEntries(guesses);
}

/** `EVENT START DATE` and `start_date` are `startdate`. */
function plainName(column: string): string {
  const letters = column.toLowerCase().replace(/[^a-z0-9]/g, '');
  return letters === 'event' ? 'title' : letters.replace(/^event(?=.)/, '');
}

/** Whether these cells are column names from which the needed fields can be guessed. */
export function isHead(columns: readonly string[]): boolean {
  return missingFields(guessMapping({ format: 'csv', columns })).length === 0;
}

export function missingFields(mapping: Mapping): Field[] {
  return REQUIRED.filter((field) => mapping[field] === undefined);
}
