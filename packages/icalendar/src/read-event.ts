import type { CalendarField, CalendarRow } from './calendar-row.ts';
import type { Component } from './components.ts';
import type { Property } from './content-lines.ts';
import { createReading, type EventSettings, type Reading } from './event-reading.ts';
import { type CalendarTime, readCalendarTime, readDuration } from './local-time.ts';
import { UTC, type Zone } from './named-zone.ts';
import { readRecurrence } from './recurrence.ts';

export interface ReadEvent {
  readonly row: CalendarRow;
  /** It is a single occurrence of a recurring event (RECURRENCE-ID). */
  readonly occurrence: boolean;
  readonly simplified: boolean;
  readonly withoutZone: boolean;
}

/** Reads one VEVENT. */
export function readEvent(component: Component, settings: EventSettings): ReadEvent {
  const reading = createReading(component, settings);
  readText(reading, 'title', 'SUMMARY', ' ');
  readText(reading, 'location', 'LOCATION', ', ');
  readText(reading, 'description', 'DESCRIPTION', '\n');
  const url = reading.find('URL');
  if (url !== undefined) reading.set('url', url, url.value.trim());
  readTimes(reading);
  const simplified = readRule(reading);
  const cancelled = reading.find('STATUS')?.value.trim().toUpperCase() === 'CANCELLED';
  const { event, lines, errors } = reading;
  const action = cancelled || settings.cancels ? 'cancel' : 'upsert';
  return {
    row: { row: settings.row, line: component.line, action, event, lines, errors },
    occurrence: reading.find('RECURRENCE-ID') !== undefined,
    simplified,
    withoutZone: reading.withoutZone,
  };
}

function readText(reading: Reading, field: CalendarField, name: string, lineEnd: string): void {
  const property = reading.find(name);
  if (property !== undefined) reading.set(field, property, unescaped(property.value, lineEnd).trim());
}

/**
 * Unescapes a text (RFC 5545, section 3.3.11). Callers replace line ends, because title and location are single
 * lines.
 */
function unescaped(text: string, lineEnd: string): string {
  return text.replace(/\\([\\;,nN])/g, (_, escaped: string) =>
    escaped.toLowerCase() === 'n' ? lineEnd : escaped,
  );
}

function readTimes(reading: Reading): void {
  const start = reading.find('DTSTART');
  const from = start === undefined ? undefined : timeOf(reading, 'starts_at', start);
  if (start === undefined) reading.wrong('starts_at', reading.line, 'The event has no DTSTART.');
  const end = reading.find('DTEND');
  if (end !== undefined) {
    timeOf(reading, 'ends_at', end);
    return;
  }
  const lasts = reading.find('DURATION');
  if (lasts === undefined || from === undefined) return;
  const duration = readDuration(lasts.value);
  if (duration === undefined)
    reading.wrong(
      'ends_at',
      lasts.line,
      `"${shown(lasts.value)}" is not a valid duration. Example: PT1H30M.`,
    );
  else
    reading.set('ends_at', lasts, written(from.zone(from.time.local + duration.daysMs) + duration.exactMs));
}

interface TimeInZone {
  readonly time: CalendarTime;
  readonly zone: Zone;
}

/** Records the instant that a property names, or the error in it. */
function timeOf(
  reading: Reading,
  field: 'starts_at' | 'ends_at',
  property: Property,
): TimeInZone | undefined {
  const { name, value, line, params } = property;
  const time = readCalendarTime(value);
  if (time === undefined) {
    const detail = `${name} "${shown(value)}" is not a valid date or time. Examples: 20261201T180000Z, 20261201.`;
    reading.wrong(field, line, detail);
    return undefined;
  }
  const tzid = params.get('TZID');
  const named = time.utc
    ? UTC
    : tzid === undefined
      ? reading.settings.floating
      : reading.settings.zoneOf(tzid);
  if (named === undefined) {
    const detail = `${name} has the unknown time zone "${shown(tzid ?? '')}", and the file has no readable VTIMEZONE for it.`;
    reading.wrong(field, line, detail);
    return undefined;
  }
  if (!time.utc && tzid === undefined) reading.withoutZone = true;
  reading.set(field, property, written(named(time.local)));
  return { time, zone: named };
}

/** Reads RRULE. Returns whether the rule has more detail than the stored word. */
function readRule(reading: Reading): boolean {
  const rule = reading.find('RRULE');
  const others = ['RDATE', 'EXDATE', 'EXRULE'].some((name) => reading.find(name) !== undefined);
  if (rule === undefined) return others;
  const read = readRecurrence(rule.value);
  if (read.outcome === 'wrong') {
    reading.wrong('recurring', rule.line, read.detail);
    return false;
  }
  reading.set('recurring', rule, read.recurring);
  return read.simplified || others;
}

const SHOWN = 40;

function shown(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** Formats an instant for the action parser, to the second. */
function written(epochMs: number): string {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? 'never' : date.toISOString().replace('.000Z', 'Z');
}
