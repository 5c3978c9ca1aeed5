import { contentLines, type Property } from './content-lines.ts';

/** What stands between a BEGIN and its END (RFC 5545, section 3.6). */
export interface Component {
  /** In capital letters. */
  readonly name: string;
  /** Of its BEGIN, counted from 1. */
  readonly line: number;
  readonly properties: Property[];
  readonly components: Component[];
  /** What keeps it from being read: a line of its own that is no property, or an END that is missing. */
  readonly faults: { readonly line: number; readonly detail: string }[];
}

export type ComponentsRead =
  | { readonly outcome: 'read'; readonly calendars: readonly Component[] }
  | { readonly outcome: 'refused'; readonly detail: string };

/** A calendar holds events, and events hold alarms: what is nested deeper than this is no calendar. */
const MAX_DEPTH = 16;

/** Reads the calendars of a file, each with all that it holds. */
export function readComponents(text: string): ComponentsRead {
  const calendars: Component[] = [];
  const open: Component[] = [];
  for (const one of contentLines(text)) {
    const inner = open.at(-1);
    if (one.outcome === 'unreadable') {
      inner?.faults.push({ line: one.line, detail: one.detail });
      continue;
    }
    const { property } = one;
    if (property.name === 'BEGIN') {
      if (open.length === MAX_DEPTH)
        return refused(`Line ${property.line} begins the ${MAX_DEPTH + 1}th part inside of another.`);
      const begun = componentOf(property);
      if (inner !== undefined) inner.components.push(begun);
      else if (begun.name === 'VCALENDAR') calendars.push(begun);
      open.push(begun);
    } else if (property.name === 'END') end(open, property);
    else inner?.properties.push(property);
  }
  for (const one of open) markUnended(one);
  return calendars.length > 0
    ? { outcome: 'read', calendars }
    : refused('It has no line BEGIN:VCALENDAR, which an iCalendar file begins with.');
}

function componentOf({ line, value }: Property): Component {
  return { name: value.trim().toUpperCase(), line, properties: [], components: [], faults: [] };
}

/** What is still open inside of what ends here was never ended itself. An END of nothing is passed over. */
function end(open: Component[], { value }: Property): void {
  const name = value.trim().toUpperCase();
  const at = open.findLastIndex((one) => one.name === name);
  if (at === -1) return;
  for (const one of open.splice(at).slice(1)) markUnended(one);
}

function markUnended({ faults, line, name }: Component): void {
  faults.push({ line, detail: `Line ${line} begins a ${name} that no END:${name} ends.` });
}

function refused(detail: string): ComponentsRead {
  return { outcome: 'refused', detail };
}
