import type { ImportFormat } from '@sluice/contract/event/event-fields';
import type { CellError } from '@sluice/dashboard-api/imports';

/** A file of any format, as rows of cells. */
export interface ImportTable {
  readonly fileName: string;
  readonly format: ImportFormat;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  /** Sentences about a whole CSV file. Those of a calendar are in `calendar`. */
  readonly notes?: readonly string[];
  /** Only for calendars. */
  readonly calendar?: CalendarNotes;
}

/** Properties of a calendar besides its events. */
export interface CalendarNotes {
  /** The text of the file, so that it can be read again in another zone. */
  readonly text: string;
  /** The zone used for times without a zone. */
  readonly zone: string;
  /** The zone the calendar names, or null. */
  readonly ownZone: string | null;
  /** The number of events with such times. */
  readonly withoutZone: number;
  /** Events whose recurrence rule is simplified. */
  readonly simplified: readonly number[];
  /** Single days of a recurring event, and older versions of an event, that are not imported. */
  readonly leftOut: readonly TableRow[];
  /** Sentences about the whole file. */
  readonly notes: readonly string[];
  /** Those of `notes` that are about the encoding, which the text no longer shows. */
  readonly decoding: readonly string[];
  /** The file may lack its last events. */
  readonly cutOff: boolean;
}

export interface TableRow {
  /** CSV: row number, header = 1. iCalendar: index of the event. */
  readonly row: number;
  readonly cells: readonly string[];
  /** Why the row can't be imported, found before any rule of Sluice was checked. Absent if there is nothing. */
  readonly errors?: readonly RowError[];
  /** Only for calendars. */
  readonly calendar?: EventOfCalendar;
}

export interface RowError extends CellError {
  /** The line in a calendar. */
  readonly line?: number;
}

export interface EventOfCalendar {
  readonly cancels: boolean;
  readonly uid?: string;
  /** Identifies a changed day of a series; '' for any other event. */
  readonly recurrenceId: string;
  /** Its title says so, but not its status. */
  readonly saysCancelled: boolean;
  /** When the last occurrence starts, as ISO 8601. */
  readonly recursUntil?: string;
  /** The IANA name of the zone of a recurring event. */
  readonly timeZone?: string;
  /** The line where the event starts, and the line of each field. */
  readonly line: number;
  readonly lines: Readonly<Record<string, number>>;
  /** Sentences: each names a value that was left out or read differently. */
  readonly notes: readonly string[];
}

export type FileRead = { readonly outcome: 'read'; readonly table: ImportTable } | FileRefused;

export interface FileRefused {
  readonly outcome: 'refused';
  readonly why: string;
}

export function refused(why: string): FileRefused {
  return { outcome: 'refused', why };
}

/** `1 row`, `12 events`. */
export function countOf({ format }: Pick<ImportTable, 'format'>, count: number): string {
  const one = format === 'csv' ? 'row' : 'event';
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}
