import type { CalendarError, CalendarField } from './calendar-row.ts';
import type { Component } from './components.ts';
import type { Property } from './content-lines.ts';
import type { Zone } from './named-zone.ts';

export interface EventSettings {
  readonly row: number;
  /** Zone of times that name none. */
  readonly floating: Zone;
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
  /** Whether one of its times names no zone. */
  withoutZone: boolean;
  find(name: string): Property | undefined;
  set(field: CalendarField, property: Property, value: string): void;
  wrong(field: CalendarField, line: number, detail: string): void;
}

/** Faults reported for each event. Further ones rarely add information. */
const MAX_FAULTS = 5;

export function createReading({ properties, faults, line }: Component, settings: EventSettings): Reading {
  const event: Partial<Record<CalendarField, string>> = {};
  const lines: Partial<Record<CalendarField, number>> = {};
  const errors: CalendarError[] = faults.slice(0, MAX_FAULTS).map((fault) => ({ field: null, ...fault }));
  const first = new Map<string, Property>();
  // The first occurrence of a repeated property wins.
  for (const one of properties) if (!first.has(one.name)) first.set(one.name, one);
  return {
    settings,
    line,
    event,
    lines,
    errors,
    withoutZone: false,
    find: (name) => first.get(name),
    set(field, property, value) {
      event[field] = value;
      lines[field] = property.line;
    },
    wrong: (field, at, detail) => void errors.push({ field, line: at, detail }),
  };
}
