import { IMPORT_MAX_ROWS, UID_LENGTH } from '@sluice/dashboard-api/limits';
import type { CalendarRow } from '../calendar/calendar-row.ts';
import { readCalendar } from '../calendar/read-calendar.ts';
import { type FileRead, refused, type TableRow } from './import-table.ts';
import { CALENDAR_COLUMNS } from './mapping.ts';

export interface ReadIcalSettings {
  /** The zone of times without a zone. */
  readonly zone?: string;
  /** Sentences about the encoding of the file (icalendar: decode-calendar.ts). */
  readonly decoding?: readonly string[];
}

/** Reads a calendar as a table whose columns are its properties. */
export function readIcal(
  fileName: string,
  text: string,
  { zone, decoding = [] }: ReadIcalSettings = {},
): FileRead {
  const read = readCalendar(text, { maxEvents: IMPORT_MAX_ROWS, ...(zone !== undefined && { zone }) });
  if (read.outcome === 'refused') return refused(`The calendar cannot be imported. ${read.detail}`);
  const { rows, ownZone, withoutZone, simplified, leftOut, cutOff } = read;
  if (rows.length === 0) return refused('The calendar has no events (VEVENT) to import.');
  const notes = [...read.notes, ...decoding];
  const calendar = {
    ...{ text, zone: zone ?? ownZone ?? 'UTC', ownZone, withoutZone, simplified, notes, decoding, cutOff },
    leftOut: leftOut.map(toRow),
  };
  const columns = CALENDAR_COLUMNS.map(({ property }) => property);
  return { outcome: 'read', table: { fileName, format: 'ical', columns, rows: rows.map(toRow), calendar } };
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
