import type { CalendarError, CalendarField } from './calendar-row.ts';
import type { Component } from './components.ts';
import type { Property } from './content-lines.ts';
import type { Zone } from './named-zone.ts';

export interface EventSettings {
  readonly row: number;
  /** Zone of times that name none. */
  readonly floating: Zone;
  /** Its name; undefined if none is known. */
  readonly floatingName?: string | undefined;
  readonly zoneOf: (tzid: string) => Zone | undefined;
  /** The calendar cancels all its events (METHOD:CANCEL). */
  readonly cancels: boolean;
}

/** The state of reading one VEVENT. */
export interface Reading {
  readonly settings: EventSettings;
  /** The line of its BEGIN. */
  readonly line: number;
  readonly event: Readonly<Partial<Record<CalendarField, string>>>;
  readonly lines: Readonly<Partial<Record<CalendarField, number>>>;
  readonly errors: readonly CalendarError[];
  readonly notes: readonly string[];
  /** Whether one of its times names no zone. */
  withoutZone: boolean;
  /** The first property of this name that the event has. */
  find(name: string): Property | undefined;
  findAll(name: string): readonly Property[];
  set(field: CalendarField, property: Property, value: string): void;
  /** The event can't be imported. */
  wrong(field: CalendarField, line: number, detail: string): void;
  /** The event is imported all the same. */
  note(line: number, detail: string): void;
}

/** Without these an event has no identity. An unreadable line of any other property costs only that property. */
const NEEDED = new Set(['SUMMARY', 'DTSTART', 'LOCATION']);
const KEPT = new Set(['DTEND', 'DURATION', 'DESCRIPTION', 'URL', 'RRULE', 'STATUS', 'RECURRENCE-ID']);

export function createReading({ properties, faults, line }: Component, settings: EventSettings): Reading {
  const event: Partial<Record<CalendarField, string>> = {};
  const lines: Partial<Record<CalendarField, number>> = {};
  const errors: CalendarError[] = [];
  const notes: string[] = [];
  const first = new Map<string, Property>();
  // The first occurrence of a repeated property wins.
  for (const one of properties) if (!first.has(one.name)) first.set(one.name, one);
  for (const fault of faults) {
    if (fault.name === null || (NEEDED.has(fault.name) && !first.has(fault.name)))
      errors.push({ field: null, line: fault.line, detail: fault.detail });
    else if (KEPT.has(fault.name)) notes.push(`${fault.detail} It was passed over.`);
  }
  return {
    settings,
    line,
    event,
    lines,
    errors,
    notes,
    withoutZone: false,
    find: (name) => first.get(name),
    findAll: (name) => properties.filter((one) => one.name === name),
    set(field, property, value) {
      event[field] = value;
      lines[field] = property.line;
    },
    wrong: (field, at, detail) => void errors.push({ field, line: at, detail }),
    note: (at, detail) => void notes.push(`Line ${at}: ${detail}`),
  };
}
