import type { CalendarField, CalendarRow } from './calendar-row.ts';
import { readCancellation } from './cancellation.ts';
import type { Component } from './components.ts';
import type { Property } from './content-lines.ts';
import { createReading, type EventSettings, type Reading } from './event-reading.ts';
import { withoutHtml } from './html-text.ts';
import { lastOccurrence, type RecurringStart } from './last-occurrence.ts';
import { HALF_A_YEAR_MS, ianaName, namedZone } from './named-zone.ts';
import { plainValue } from './quoted-printable.ts';
import { readTimes, timeOf, written } from './read-times.ts';
import { readRecurrence } from './recurrence.ts';

export interface ReadEvent {
  readonly row: CalendarRow;
  /** It is a single occurrence of a recurring event (RECURRENCE-ID). */
  readonly occurrence: boolean;
  /** The number of its version (SEQUENCE). */
  readonly sequence: number;
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
  // A URI has no backslash (RFC 3986). Several libraries escape its commas and semicolons as if it were a text.
  if (url !== undefined)
    reading.set(
      'url',
      url,
      plainValue(url)
        .trim()
        .replace(/\\([,;\\])/g, '$1'),
    );
  const start = readTimes(reading);
  const rules = readRules(reading);
  const simplified = noteRule(reading, rules);
  const recursUntil = endOfRules(reading, rules, start);
  const timeZone = start && seriesZone(reading, start);
  const changed = reading.find('RECURRENCE-ID');
  if (changed?.params.get('RANGE')?.toUpperCase() === 'THISANDFUTURE')
    reading.note(
      changed.line,
      'RANGE=THISANDFUTURE changes this and all following days of the series. Only this day is imported.',
    );
  const cancellation = readCancellation(reading, changed !== undefined);
  const { event, lines, errors, notes } = reading;
  const uid = reading.find('UID')?.value.trim() ?? '';
  return {
    row: {
      ...{ row: settings.row, line: component.line, event, lines, errors, notes, ...cancellation },
      ...(uid !== '' && { uid }),
      recurrenceId: changed === undefined ? '' : recurrenceId(reading, changed),
      ...(recursUntil !== undefined && { recursUntil }),
      ...(timeZone !== undefined && { timeZone }),
    },
    occurrence: changed !== undefined,
    sequence: Number(/^\s*(\d{1,9})\s*$/.exec(reading.find('SEQUENCE')?.value ?? '')?.[1] ?? 0),
    simplified,
    withoutZone: reading.withoutZone,
  };
}

const RECURRENCE_ID_LENGTH = 60;

/** The same day has the same id, in whatever zone a program writes it. */
function recurrenceId(reading: Reading, property: Property): string {
  const time = timeOf(reading, property, reading.settings.floating);
  const text =
    'wrong' in time || time.withoutZone ? property.value.trim().toUpperCase() : written(time.instant);
  return text.slice(0, RECURRENCE_ID_LENGTH);
}

/** Title and location are single lines, so `lineEnd` joins theirs. Empty lines leave no separator behind. */
function readText(reading: Reading, field: CalendarField, name: string, lineEnd: string): void {
  const property = reading.find(name);
  if (property === undefined) return;
  const text = withoutHtml(unescaped(plainValue(property)));
  const lines = lineEnd === '\n' ? [text] : text.split('\n').map((line) => line.trim());
  reading.set(field, property, lines.filter(Boolean).join(lineEnd).trim());
}

/**
 * Unescapes a text (RFC 5545, section 3.3.11). Texts of web forms have CR LF, of which libraries escape the line feed alone, or
 * write the other as `\\r`.
 */
function unescaped(text: string): string {
  return text.replace(
    /(?:\\[rR]|\r)?\\[nN]|\\[rR]|\r\n|\r|\n|\\([\\;,:"])/g,
    (_, escaped?: string) => escaped ?? '\n',
  );
}

/** Takes over RRULE. Returns whether the rules have more detail than the stored word. */
function noteRule(reading: Reading, { all, used }: Rules): boolean {
  const [rule] = used;
  const others = ['RDATE', 'EXDATE', 'EXRULE'].some((name) => reading.find(name) !== undefined);
  if (rule === undefined) return others;
  const second = all.find((one) => one !== rule);
  if (second !== undefined)
    reading.note(
      second.line,
      'The event has more than one RRULE. Only one of them says how often it recurs.',
    );
  const read = readRecurrence(rule.value);
  switch (read.outcome) {
    case 'none':
      return others;
    case 'unsupported':
      reading.note(rule.line, `${read.detail} Only the first day is imported.`);
      return true;
    case 'read':
      reading.set('recurring', rule, read.recurring);
      return read.simplified || others || second !== undefined;
  }
}

/** Undefined if the event does not recur, or recurs without an end. */
function endOfRules(
  { event }: Reading,
  { used }: Rules,
  start: RecurringStart | undefined,
): string | undefined {
  if (start === undefined || event.recurring === undefined || used.length > MAX_RULES) return undefined;
  // A series goes on for as long as one of its rules does.
  const ends = used.map(({ value }) => lastOccurrence(value, start));
  const last = Math.max(...ends.map((end) => end ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(last) ? written(last) : undefined;
}

/** Limit on the rules whose end is computed. */
const MAX_RULES = 10;

/** The rules of an event. RFC 5545, section 3.8.5.3, asks for one at most. Programs write empty ones, or the same one twice. */
interface Rules {
  readonly all: readonly Property[];
  /** Those that can be read, or else the first. */
  readonly used: readonly Property[];
}

function readRules(reading: Reading): Rules {
  const written = reading.findAll('RRULE').filter(({ value }) => value.trim() !== '');
  const all = [...new Map(written.map((one) => [one.value.trim().toUpperCase(), one])).values()];
  const readable = all.filter(({ value }) => readRecurrence(value).outcome === 'read');
  return { all, used: readable.length > 0 ? readable : all.slice(0, 1) };
}

/**
 * The IANA name of the zone of a recurring event. Undefined if the event does not recur or names no zone, and if the calendar's
 * own description of the zone disagrees with the name, in summer or in winter.
 */
export function seriesZone(
  { event, find, settings }: Reading,
  { time, zone }: RecurringStart,
): string | undefined {
  if (event.recurring === undefined || time.utc) return undefined;
  const written = find('DTSTART')?.params.get('TZID') ?? settings.floatingName;
  const name = written === undefined ? undefined : ianaName(written);
  const named = name === undefined ? undefined : namedZone(name);
  const agrees = [time.local, time.local + HALF_A_YEAR_MS].every((local) => zone(local) === named?.(local));
  return agrees ? name : undefined;
}
