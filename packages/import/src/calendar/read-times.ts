import { DAY_MS } from '@sluice/contract/time/durations';
import { isCancelled } from './cancellation.ts';
import type { Property } from './content-lines.ts';
import type { Reading } from './event-reading.ts';
import type { RecurringStart } from './last-occurrence.ts';
import { type CalendarTime, readCalendarTime, readDuration } from './local-time.ts';
import { UTC, type Zone } from './named-zone.ts';
import { plainValue } from './quoted-printable.ts';

/** Reads start and end of an event. Returns the start; undefined if it can't be read. */
export function readTimes(reading: Reading): RecurringStart | undefined {
  const start = reading.find('DTSTART');
  if (start === undefined) {
    // A cancel is found by its UID (RFC 5546, section 3.2.5).
    if (!isCancelled(reading)) reading.wrong('starts_at', reading.line, 'The event has no DTSTART.');
    return undefined;
  }
  const from = timeOf(reading, start, reading.settings.floating);
  if ('wrong' in from) {
    reading.wrong('starts_at', start.line, from.wrong);
    return undefined;
  }
  if (from.withoutZone) reading.withoutZone = true;
  reading.set('starts_at', start, written(from.instant));
  readEnd(reading, from);
  return from;
}

/**
 * Reads the end beside the start. The end is optional: what can't be read costs no event (RFC 5545, 3.8.2.2, asks for one form
 * of both and a later end).
 */
function readEnd(reading: Reading, from: TimeInZone): void {
  // Programs write an empty property beside the other.
  const property = ['DTEND', 'DURATION']
    .map((name) => reading.find(name))
    .find((one) => one !== undefined && plainValue(one).trim() !== '');
  if (property === undefined) return;
  const lasts = property.name === 'DURATION';
  const read = lasts ? afterDuration(property, from) : timeOf(reading, property, from.zone);
  if ('wrong' in read) reading.note(property.line, `${read.wrong} The event has no end now.`);
  else if (read.instant < from.instant)
    reading.note(property.line, `${property.name} is before DTSTART. The event has no end now.`);
  else {
    if (read.withoutZone && from.withoutZone) reading.withoutZone = true;
    reading.set('ends_at', property, written(read.instant));
  }
}

function afterDuration({ value }: Property, from: TimeInZone): TimeInZone | Wrong {
  const duration = readDuration(value);
  if (duration === undefined)
    return { wrong: `"${shown(value)}" is not a valid duration. Example: PT1H30M.` };
  return { ...from, instant: from.zone(from.time.local + duration.daysMs) + duration.exactMs };
}

interface TimeInZone {
  readonly time: CalendarTime;
  readonly zone: Zone;
  /** Milliseconds since the Unix epoch. */
  readonly instant: number;
  readonly withoutZone: boolean;
}

interface Wrong {
  readonly wrong: string;
}

/** A zone with a colon in its name needs quotes, which some programs omit. */
const COLON_IN_ZONE = /^(.+):(\d{8}(?:T\d{6}Z?)?)$/i;

/** The instant that a property names, or why it names none. `floating`: the zone of a time that names none. */
export function timeOf(
  { settings }: Reading,
  { name, value: whole, params }: Property,
  floating: Zone,
): TimeInZone | Wrong {
  const written = params.get('TZID');
  const [, rest, value = whole] = written === undefined ? [] : (COLON_IN_ZONE.exec(whole) ?? []);
  const time = dayOf(readCalendarTime(value), params.get('VALUE'));
  if (time === undefined)
    return {
      wrong: `${name} "${shown(value)}" is not a valid date or time. Examples: 20261201T180000Z, 20261201.`,
    };
  const tzid = (rest === undefined ? written : `${written}:${rest}`)?.trim() || undefined;
  const zone = time.utc ? UTC : tzid === undefined ? floating : settings.zoneOf(tzid);
  if (zone === undefined)
    return {
      wrong: `${name} has the unknown time zone "${shown(tzid ?? '')}", and the file has no readable VTIMEZONE for it.`,
    };
  const instant = zone(time.local);
  if (Number.isNaN(instant))
    return {
      wrong: `The calendar's description of the time zone${tzid === undefined ? '' : ` "${shown(tzid)}"`} can't be evaluated for ${name} "${shown(value)}".`,
    };
  return { ...inItsOffset(time, zone), instant, withoutZone: !time.utc && tzid === undefined };
}

/** Programs write the midnight of a day, some with a Z, although they call the value a DATE. */
function dayOf(time: CalendarTime | undefined, type = ''): CalendarTime | undefined {
  const isDay = type.toUpperCase() === 'DATE' && time?.offset === 0 && time.local % DAY_MS === 0;
  return isDay ? { ...time, utc: false, wholeDay: true } : time;
}

/** The days of a series are those of the offset that its start has. In UTC they may be the days before or after. */
function inItsOffset(time: CalendarTime, zone: Zone): RecurringStart {
  const { local, offset } = time;
  if (offset === 0) return { time, zone };
  return { time: { ...time, local: local + offset, utc: false, offset: 0 }, zone: (at) => at - offset };
}

const SHOWN = 40;

function shown(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** Formats an instant for the action parser, to the second. */
export function written(epochMs: number): string {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? 'never' : date.toISOString().replace('.000Z', 'Z');
}
