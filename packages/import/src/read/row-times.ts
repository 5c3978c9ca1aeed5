import { ianaName } from '../calendar/named-zone.ts';
import { isAmbiguousDay, isSerialDay, offsetIn, readCellTime, type TimeSettings } from './cell-times.ts';
import type { Field } from './mapping.ts';
import type { RowSettings } from './row-settings.ts';

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
  if (order === undefined || orderIsGuess !== true) return [];
  return [...TIMES]
    .filter((field) => isAmbiguousDay(textOf(field)))
    .map(
      (field) =>
        `${field} "${textOf(field)}" was read with the month first, as most files with am and pm have it.`,
    );
}

/** Date and time of a row, from one column or two, in the zone of the row or the file. */
export function timeOf(
  field: 'starts_at' | 'ends_at',
  textOf: (field: Field) => string,
  settings: RowSettings,
): string {
  const wholeDay = /^(?:true|yes|1|x)$/i.test(textOf('all_day'));
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

const CLOCK = /^\d{1,2}(?:[:.]\d{2}){1,2}(?:\s*[ap]\.?m\.?)?(?:\s*(?:z|utc|gmt|[+-]\d{2}:?\d{2}))?$/i;

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
