import { IMPORT_MAX_ROWS } from '@sluice/dashboard-api/limits';
import type { CalendarRow } from '@sluice/icalendar/calendar-row';
import { readCalendar } from '@sluice/icalendar/read-calendar';
import { type FileRead, refused, type TableRow } from './import-table.ts';
import { CALENDAR_COLUMNS } from './mapping.ts';

/** Reads a calendar as a table whose columns are its properties. `zone` applies to times without a zone. */
export function readIcal(fileName: string, text: string, zone?: string): FileRead {
  const read = readCalendar(text, { maxEvents: IMPORT_MAX_ROWS, ...(zone !== undefined && { zone }) });
  if (read.outcome === 'refused') return refused(`The calendar cannot be imported. ${read.detail}`);
  const { rows, ownZone, withoutZone, simplified, leftOut } = read;
  if (rows.length === 0) return refused('The calendar has no events (VEVENT) to import.');
  const calendar = { text, zone: zone ?? ownZone ?? 'UTC', ownZone, withoutZone, simplified, leftOut };
  const columns = CALENDAR_COLUMNS.map(({ property }) => property);
  return { outcome: 'read', table: { fileName, format: 'ical', columns, rows: rows.map(toRow), calendar } };
}

function toRow({ row, action, event, line, lines, errors }: CalendarRow): TableRow {
  const cancels = action === 'cancel';
  const cells = CALENDAR_COLUMNS.map(({ field }) =>
    field === 'status' ? (cancels ? 'cancelled' : '') : (event[field] ?? ''),
  );
  return { row, cells, calendar: { cancels, line, lines, errors } };
}
