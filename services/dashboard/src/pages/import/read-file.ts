import { IMPORT_MAX_BYTES, IMPORT_MAX_ROWS } from '@sluice/dashboard-api/limits';
import { type FileRead, refused } from './import-table.ts';
import { readCsv } from './read-csv.ts';

/** Reads a file as a calendar or as CSV, depending on its name and content. A rejection says what to do. */
export async function readFile(file: File): Promise<FileRead> {
  if (file.size > IMPORT_MAX_BYTES)
    return refused(`The file is larger than ${IMPORT_MAX_BYTES / 1024 / 1024} MB. Split it.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return isCalendar(file, bytes)
    ? readCalendarFile(file.name, bytes)
    : withinLimits(await readCsv(file.name, bytes));
}

/** Reads the text of a calendar from a file or a feed. */
export async function readCalendarText(fileName: string, text: string, zone?: string): Promise<FileRead> {
  const { readIcal } = await import('./read-ical.ts');
  return readIcal(fileName, text, zone);
}

async function readCalendarFile(fileName: string, bytes: Uint8Array): Promise<FileRead> {
  const { decodeCalendar } = await import('@sluice/icalendar/decode-calendar');
  return readCalendarText(fileName, decodeCalendar(bytes).text);
}

const BEGINNING = 'BEGIN:VCALENDAR';

function isCalendar({ name, type }: File, bytes: Uint8Array): boolean {
  if (/\.(ics|ical|icalendar|ifb)$/i.test(name) || type === 'text/calendar') return true;
  return new TextDecoder().decode(bytes.subarray(0, 64)).trimStart().toUpperCase().startsWith(BEGINNING);
}

function withinLimits(read: FileRead): FileRead {
  if (read.outcome === 'refused' || read.table.rows.length <= IMPORT_MAX_ROWS) return read;
  return refused(
    `The file has ${read.table.rows.length.toLocaleString('en')} rows; at most ${IMPORT_MAX_ROWS.toLocaleString('en')} are imported at once. Split it.`,
  );
}
