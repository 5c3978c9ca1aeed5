import { IMPORT_MAX_BYTES, IMPORT_MAX_ROWS } from '@sluice/dashboard-api/limits';
import { markedEncoding } from '../calendar/byte-order-mark.ts';
import { type FileRead, type FileRefused, refused } from './import-table.ts';
import { readCsv } from './read-csv.ts';

export interface NamedFile {
  readonly name: string;
  /** The media type, if something names it. */
  readonly type?: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads a file as a calendar or as CSV, depending on its name and content. `zone`: of the times of a calendar that name none. A
 * refusal says what to do.
 */
export async function readFile({ name, type = '', bytes }: NamedFile, zone?: string): Promise<FileRead> {
  const large = tooLarge(bytes.length);
  if (large !== undefined) return large;
  return isCalendar(name, type, bytes)
    ? readCalendarBytes(name, bytes, zone)
    : withinLimits(await readCsv(name, bytes));
}

/** The text of a calendar from a file or a feed. */
export interface CalendarText {
  readonly name: string;
  readonly text: string;
  /** Sentences about its encoding. */
  readonly decoding?: readonly string[];
}

/** Reads the text of a calendar. `zone`: of its times that name none. */
export async function readCalendarText(
  { name, text, decoding = [] }: CalendarText,
  zone?: string,
): Promise<FileRead> {
  const { readIcal } = await import('./read-ical.ts');
  return readIcal(name, text, { decoding, ...(zone !== undefined && { zone }) });
}

async function readCalendarBytes(fileName: string, bytes: Uint8Array, zone?: string): Promise<FileRead> {
  const { decodeCalendar, decodingNotes } = await import('../calendar/decode-calendar.ts');
  const decoded = decodeCalendar(bytes);
  return readCalendarText({ name: fileName, text: decoded.text, decoding: decodingNotes(decoded) }, zone);
}

const BEGINNING = /^\s*(?:BEGIN:VCALENDAR|BEGIN:VEVENT)/i;

function isCalendar(name: string, type: string, bytes: Uint8Array): boolean {
  if (/\.(ics|ical|icalendar|ifb|vcs)$/i.test(name) || /^text\/(?:x-v)?calendar\b/i.test(type)) return true;
  return BEGINNING.test(new TextDecoder(markedEncoding(bytes)).decode(bytes.subarray(0, 128)));
}

function withinLimits(read: FileRead): FileRead {
  if (read.outcome === 'refused' || read.table.rows.length <= IMPORT_MAX_ROWS) return read;
  return refused(
    `The file has ${read.table.rows.length.toLocaleString('en')} rows; at most ${IMPORT_MAX_ROWS.toLocaleString('en')} are imported at once. Split it.`,
  );
}

/** A file that is not in memory yet, such as a browser's. */
export interface UnreadFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

function tooLarge(bytes: number): FileRefused | undefined {
  if (bytes <= IMPORT_MAX_BYTES) return undefined;
  return refused(`The file is larger than ${IMPORT_MAX_BYTES / 1024 / 1024} MB. Split it.`);
}

/** Reads a file into memory, unless it is too large. A folder that was dropped looks like a file, and cannot be read. */
export async function bytesOfFile(
  file: UnreadFile,
): Promise<FileRefused | { outcome: 'bytes'; bytes: Uint8Array }> {
  const large = tooLarge(file.size);
  if (large !== undefined) return large;
  try {
    return { outcome: 'bytes', bytes: new Uint8Array(await file.arrayBuffer()) };
  } catch {
    return refused(
      `“${file.name}” cannot be read. It may be a folder, open in another program, or changed since you chose it. Close it there, then choose it again.`,
    );
  }
}

/** Reads a CSV file of leads. A refusal says what to do. */
export async function readLeadFile(file: UnreadFile): Promise<FileRead> {
  const content = await bytesOfFile(file);
  if (content.outcome === 'refused') return content;
  return withinLimits(await readCsv(file.name, content.bytes));
}
