import { orderOf, readCellTime, type TimeSettings } from './cell-times.ts';
import { plainName } from './guess-columns.ts';
import type { ImportTable } from './import-table.ts';
import type { Field, Mapping } from './mapping.ts';

export interface RowSettings extends TimeSettings {
  readonly mapping: Mapping;
  /** Nothing but am and pm tells the order of day and month. Some countries write them with the day first. */
  readonly orderIsGuess?: boolean;
  /** The column of the status has a name such as Canceled, so that `true` in it means cancelled. */
  readonly statusIsCancelled?: boolean;
}

const SAYS_CANCELLED = /^(?:event|is|was)?cancel(?:l?ed|l?ation)?(?:at|on|date|time)?$/;

/** The settings for the rows of a file. `zone`: of times that name none. */
export function rowSettings(table: ImportTable, mapping: Mapping, zone: string): RowSettings {
  const textsOf = (field: Field) => {
    const column = mapping[field];
    return column === undefined ? [] : table.rows.map(({ cells }) => cells[column] ?? '');
  };
  const dates = [...textsOf('starts_at'), ...textsOf('ends_at')];
  const known = orderOf(dates, isAmericanExport(table));
  const halves = [...textsOf('starts_time'), ...textsOf('starts_at')];
  const guess = orderOf(dates, known === undefined && halves.some((text) => /\d\s*[ap]\.?m\b/i.test(text)));
  const order = known ?? guess;
  return {
    ...{ mapping, zone, orderIsGuess: known === undefined },
    statusIsCancelled: SAYS_CANCELLED.test(plainName(table.columns[mapping.status ?? -1] ?? '')),
    ...(order !== undefined && { order }),
  };
}

/** Google Calendar and Outlook export the month first. */
function isAmericanExport({ columns }: ImportTable): boolean {
  const names = columns.map((column) => column.trim().toLowerCase());
  return names.includes('subject') && names.includes('start date');
}

/** How many rows have a time that names no zone, so that the chosen zone decides its hour. */
export function countWithoutZone({ rows, format }: ImportTable, settings: RowSettings): number {
  const column = settings.mapping.starts_at;
  if (format !== 'csv' || column === undefined) return 0;
  const zoneColumn = settings.mapping.time_zone;
  return rows.filter(({ cells }) => {
    if (zoneColumn !== undefined && (cells[zoneColumn] ?? '').trim() !== '') return false;
    const read = readCellTime(cells[column] ?? '', '', settings);
    return read.outcome === 'time' && read.local;
  }).length;
}
