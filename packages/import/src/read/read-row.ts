import type { ImportRow } from '@sluice/dashboard-api/imports';
import { IMPORT_CELL_LENGTH } from '@sluice/dashboard-api/limits';
import { ianaName } from '../calendar/named-zone.ts';
import { isAmbiguousDay, isSerialDay, offsetIn, readCellTime, type TimeSettings } from './cell-times.ts';
import { endOfRule, hasEnd } from './end-of-rule.ts';
import type { TableRow } from './import-table.ts';
import { FIELDS, type Field } from './mapping.ts';
import type { RowSettings } from './row-settings.ts';
import { ruleIn, statusOfCancelled, tidyEvent } from './tidy-event.ts';

export interface ReadRow {
  readonly row: ImportRow;
  /** Sentences: each names a value that was left out, cut, simplified or read in an unusual format. */
  readonly notes: readonly string[];
}

/** The fields that identify an event. A cancel needs only these. */
const IDENTITY: readonly Field[] = ['title', 'starts_at', 'location'];

/** Converts a row for the API, without its empty cells. */
export function readRow({ row, cells, calendar }: TableRow, settings: RowSettings): ReadRow {
  const cancels = calendar?.cancels === true;
  const textOf = (name: Field): string => {
    const column = settings.mapping[name];
    const text = column === undefined ? '' : (cells[column] ?? '').trim();
    return name === 'status' && settings.statusIsCancelled ? statusOfCancelled(text) : text;
  };
  const event: Partial<Record<Field, string>> = {};
  for (const { name } of FIELDS) {
    if (PARTS.has(name) || (cancels && !IDENTITY.includes(name))) continue;
    const text = TIMES.has(name) ? timeOf(name as 'starts_at' | 'ends_at', textOf, settings) : textOf(name);
    if (text !== '') event[name] = text;
  }
  const tidy = tidyEvent(event);
  const timeZone =
    event.recurring === undefined ? undefined : (calendar?.timeZone ?? zoneOfCells(textOf, settings));
  const rule = tidy.event.recurring === undefined ? undefined : ruleIn(event.recurring ?? '');
  const end =
    calendar?.recursUntil ?? (rule && endOfRule(rule, event.starts_at ?? '', zoneOfStart(textOf, settings)));
  const kept = Object.entries(tidy.event).map(([name, text]) => [name, text?.slice(0, IMPORT_CELL_LENGTH)]);
  return {
    row: {
      row,
      ...(cancels && { action: 'cancel' as const }),
      event: Object.fromEntries(kept),
      ...(end !== undefined && { recurs_until: end }),
      ...(timeZone !== undefined && { time_zone: timeZone }),
    },
    notes: [
      ...(calendar?.notes ?? []),
      ...timeNotes(textOf, settings),
      ...tidy.notes,
      ...(rule !== undefined && hasEnd(rule) && end === undefined ? [ENDLESS] : []),
    ],
  };
}

const ENDLESS = 'The end of the rule cannot be computed. The series has no end now.';

const PARTS: ReadonlySet<Field> = new Set(['starts_time', 'ends_time', 'all_day', 'time_zone']);

/** The fields that are times. Other columns may add the time of day and the zone. */
export const TIMES: ReadonlySet<Field> = new Set(['starts_at', 'ends_at']);

/** The offset of a start, else the zone of its column or the file. */
export function zoneOfStart(textOf: (field: Field) => string, settings: RowSettings): string {
  const offset = offsetIn(textOf('starts_at'), textOf('starts_time'), settings);
  return offset ?? (textOf('time_zone') || settings.zone);
}

/** The zone of a start that names none, from its column or the file; undefined if the start has an offset. */
export function zoneOfCells(textOf: (field: Field) => string, settings: RowSettings): string | undefined {
  const read = readCellTime(textOf('starts_at'), textOf('starts_time'), settings);
  const isLocal = read.outcome === 'time' && read.local;
  return isLocal ? ianaName(textOf('time_zone') || settings.zone) : undefined;
}

/** Sentences about times of a row that could mean something else. */
export function timeNotes(textOf: (field: Field) => string, settings: RowSettings): string[] {
  return [...serialNotes(textOf), ...orderNotes(textOf, settings)];
}

/** A number of five digits may be another column's, so the preview names each that was read as a day. */
function serialNotes(textOf: (field: Field) => string): string[] {
  return [...TIMES]
    .filter((field) => isSerialDay(textOf(field)))
    .map((field) => `${field} "${textOf(field)}" was read as a day number of Excel.`);
}

function orderNotes(textOf: (field: Field) => string, { order, orderIsGuess }: RowSettings): string[] {
  if (orderIsGuess !== true) return [];
  const detail =
    order === undefined
      ? 'does not tell day and month apart, and no row of the file does. Write the year first: 2027-05-30.'
      : 'was read with the month first, as most files with am and pm have it.';
  return [...TIMES]
    .filter((field) => isAmbiguousDay(textOf(field)))
    .map((field) => `${field} "${textOf(field)}" ${detail}`);
}

/** Outlook writes it in the language of the user. */
const YES = /^(?:true|yes|1|x|on|ein|wahr|ja|vrai|oui|verdadero|verdadeiro|s[ií]|sim|vero|waar|aan)$/i;

/** Date and time of a row, from one column or two, in the zone of the row or the file. */
export function timeOf(
  field: 'starts_at' | 'ends_at',
  textOf: (field: Field) => string,
  settings: RowSettings,
): string {
  const wholeDay = YES.test(textOf('all_day'));
  const clock = wholeDay ? '' : textOf(field === 'starts_at' ? 'starts_time' : 'ends_time');
  const zone = textOf('time_zone');
  const inZone = zone === '' ? settings : { ...settings, zone };
  const written = textOf(field);
  if (field === 'ends_at' && (written === '' ? clock !== '' : CLOCK.test(written)))
    return endOfDay(timeOf('starts_at', textOf, settings), textOf, {
      clock: written || clock,
      settings: inZone,
    });
  if (written === '') return '';
  const read = readCellTime(written, clock, inZone);
  // The error quotes all that was read, because the time or the zone may be what is wrong.
  return read.outcome === 'time' ? read.text : [written, clock, zone].filter((text) => text !== '').join(' ');
}

const CLOCK = /^\d{1,2}(?:[:.]\d{2}|:\d){1,2}(?:\s*[ap]\.?m\.?)?(?:\s*(?:z|utc|gmt|[+-]\d{2}:?\d{2}))?$/i;

/** The date of a text of ISO 8601, whose time is that of the start. */
const DATE_BEFORE_T = /^(\d{4}-?\d{2}-?\d{2})T/i;

/** An end without a date is on the day of the start, or past the midnight after it, and has the offset of the start. */
function endOfDay(
  start: string,
  textOf: (field: Field) => string,
  { clock, settings }: { readonly clock: string; readonly settings: TimeSettings },
): string {
  const written = textOf('starts_at');
  const day = DATE_BEFORE_T.exec(written)?.[1] ?? written;
  const zone = offsetIn(written, textOf('starts_time'), settings) ?? settings.zone;
  const read = readCellTime(day, clock, { ...settings, zone });
  if (read.outcome === 'other') return clock;
  if (Date.parse(read.text) >= Date.parse(start)) return read.text;
  const nextDay = readCellTime(day, clock, { ...settings, zone, daysLater: 1 });
  return nextDay.outcome === 'time' ? nextDay.text : clock;
}
