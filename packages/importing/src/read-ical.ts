import { IMPORT_MAX_ROWS, UID_LENGTH } from '@sluice/dashboard-api/limits';
import type { CalendarRow } from '@sluice/icalendar/calendar-row';
import { readCalendar } from '@sluice/icalendar/read-calendar';
import { type FileRead, refused, type TableRow } from './import-table.ts';
import { CALENDAR_COLUMNS } from './mapping.ts';

export interface ReadIcalSettings {
  /** The zone of times without a zone. */
  readonly zone?: string;
  /** Lines that were not UTF-8 (icalendar: decode-calendar.ts). */
  readonly otherLines?: readonly number[];
}

/** Reads a calendar as a table whose columns are its properties. */
export function readIcal(
  fileName: string,
  text: string,
  { zone, otherLines = [] }: ReadIcalSettings = {},
): FileRead {
  const read = readCalendar(text, { maxEvents: IMPORT_MAX_ROWS, ...(zone !== undefined && { zone }) });
  if (read.outcome === 'refused') return refused(`The calendar cannot be imported. ${read.detail}`);
  const { rows, ownZone, withoutZone, simplified, leftOut, cutOff } = read;
  if (rows.length === 0) return refused('The calendar has no events (VEVENT) to import.');
  const notes = otherLines.length === 0 ? read.notes : [...read.notes, notUtf8(otherLines)];
  const calendar = {
    ...{ text, zone: zone ?? ownZone ?? 'UTC', ownZone, withoutZone, simplified, notes, cutOff },
    leftOut: leftOut.map(toRow),
  };
  const columns = CALENDAR_COLUMNS.map(({ property }) => property);
  return { outcome: 'read', table: { fileName, format: 'ical', columns, rows: rows.map(toRow), calendar } };
}

function notUtf8([first = 1, ...others]: readonly number[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length.toLocaleString('en')} more`;
  return `Line ${first}${more} ${others.length === 0 ? 'is' : 'are'} not UTF-8, and read as Windows-1252. Check the letters.`;
}

function toRow(one: CalendarRow): TableRow {
  const { row, action, event, line, lines, errors, notes, recursUntil, timeZone, ...rest } = one;
  const { uid, recurrenceId, saysCancelled } = rest;
  const cancels = action === 'cancel';
  const cells = CALENDAR_COLUMNS.map(({ field }) =>
    field === 'status' ? (cancels || saysCancelled ? 'cancelled' : '') : (event[field] ?? ''),
  );
  const calendar = {
    ...{ cancels, line, lines, notes, recurrenceId, saysCancelled },
    ...(recursUntil !== undefined && { recursUntil }),
    ...(timeZone !== undefined && { timeZone }),
    ...(uid !== undefined && uid.length <= UID_LENGTH && { uid }),
  };
  return { row, cells, calendar, ...(errors.length > 0 && { errors }) };
}
