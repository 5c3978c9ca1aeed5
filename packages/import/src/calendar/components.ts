import { componentName, contentLines, type Property } from './content-lines.ts';

/** The lines between a BEGIN and its END (RFC 5545, section 3.6). */
export interface Component {
  /** In capital letters. */
  readonly name: string;
  /** The line of its BEGIN, counted from 1. */
  readonly line: number;
  readonly properties: Property[];
  readonly components: Component[];
  /** Its BEGIN or END is missing, or a line directly in it isn't a property. `name`: what such a line begins with. */
  readonly faults: Fault[];
}

export interface Fault {
  readonly line: number;
  /** The letters that an unreadable line begins with, in capital letters; null: the BEGIN or END is missing. */
  readonly name: string | null;
  readonly detail: string;
}

export type ComponentsRead =
  | {
      readonly outcome: 'read';
      readonly calendars: readonly Component[];
      /** A calendar has no END, so the file may lack its last events. */
      readonly cutOff: boolean;
    }
  | { readonly outcome: 'refused'; readonly detail: string };

/** A calendar contains events, and an event contains alarms. Deeper nesting than this isn't a calendar. */
const MAX_DEPTH = 16;

/**
 * Reads the calendars of a file with their nested components. Each BEGIN:VEVENT begins an event of its calendar, even if the
 * END before it is missing, or the calendar's BEGIN: a VEVENT contains alarms only (RFC 5545, section 3.6.1).
 */
export function readComponents(text: string): ComponentsRead {
  const calendars: Component[] = [];
  const open: Component[] = [];
  let [begun, ended] = [0, 0];
  for (const one of contentLines(text)) {
    const inner = open.at(-1);
    if (one.outcome === 'unreadable') {
      inner?.faults.push({ line: one.line, name: one.name, detail: one.detail });
      continue;
    }
    const { property } = one;
    const isOfCalendar = nameOf(property) === CALENDAR;
    if (isOfCalendar && property.name === 'BEGIN') begun += 1;
    if (isOfCalendar && property.name === 'END') ended += 1;
    if (property.name === 'END') end(open, property);
    else if (property.name !== 'BEGIN') inner?.properties.push(property);
    else if (open.length < MAX_DEPTH) begin(calendars, open, property);
    else
      return refused(
        `Line ${property.line} opens a component at nesting level ${MAX_DEPTH + 1}; at most ${MAX_DEPTH} levels are allowed.`,
      );
  }
  closeTo(open, 0);
  return calendars.length > 0
    ? { outcome: 'read', calendars, cutOff: ended < begun }
    : refused('The file has no line BEGIN:VCALENDAR, so it is not an iCalendar file.');
}

function begin(calendars: Component[], open: Component[], property: Property): void {
  const name = componentName(property.value);
  if (name === undefined) return;
  const begun = componentOf(name, property.line);
  if (begun.name === CALENDAR) {
    closeTo(open, 0);
    calendars.push(begun);
    open.push(begun);
    return;
  }
  if (begun.name === EVENT) closeTo(open, 1);
  if (open.length === 0) {
    // Only events count outside of a calendar. They belong to the calendar before them.
    if (begun.name !== EVENT) return;
    if (calendars.length === 0) calendars.push(componentOf(CALENDAR, property.line));
    open.push(calendars.at(-1) as Component);
  }
  open.at(-1)?.components.push(begun);
  open.push(begun);
}

function componentOf(name: string, line: number): Component {
  return { name, line, properties: [], components: [], faults: [] };
}

/** Ends the innermost components, whose END is missing, until `length` are open. */
function closeTo(open: Component[], length: number): void {
  for (const one of open.splice(length)) markUnended(one);
}

const CALENDAR = 'VCALENDAR';
const EVENT = 'VEVENT';

function nameOf({ value }: Property): string {
  return value.trim().toUpperCase();
}

/** A component still open inside the ended one has no END. An END without a BEGIN is ignored, unless it ends an event. */
function end(open: Component[], property: Property): void {
  const name = nameOf(property);
  const at = open.findLastIndex((one) => one.name === name);
  if (at === -1) {
    if (name === EVENT) endUnbegun(open, property.line);
    return;
  }
  closeTo(open, at + 1);
  open.pop();
}

/** Properties of an event that is not begun lost their BEGIN, such as to a line `BEGIN VEVENT`. Counts them as a bad event. */
function endUnbegun(open: readonly Component[], line: number): void {
  const within = open.at(-1)?.properties ?? [];
  const from = within.findIndex(({ name }) => OF_AN_EVENT.has(name));
  if (from === -1) return;
  const properties = within.splice(from);
  const detail = `Line ${line} ends a ${EVENT} that no line BEGIN:${EVENT} begins.`;
  const faults = [{ line, name: null, detail }];
  open[0]?.components.push({ name: EVENT, line, properties, components: [], faults });
}

const OF_AN_EVENT = new Set(['UID', 'SUMMARY', 'DTSTART', 'DTSTAMP']);

function markUnended({ faults, line, name }: Component): void {
  faults.push({ line, name: null, detail: `Line ${line} begins a ${name} that has no END:${name}.` });
}

function refused(detail: string): ComponentsRead {
  return { outcome: 'refused', detail };
}

/** The value of a property of a component, without blanks around it. */
export function textOf({ properties }: Component, name: string): string | undefined {
  return properties.find((one) => one.name === name)?.value.trim();
}
