import { contentLines, type Property } from './content-lines.ts';

/** The lines between a BEGIN and its END (RFC 5545, section 3.6). */
export interface Component {
  /** In capital letters. */
  readonly name: string;
  /** The line of its BEGIN, counted from 1. */
  readonly line: number;
  readonly properties: Property[];
  readonly components: Component[];
  /** Why it can't be read: a line directly in it isn't a property, or its END is missing. */
  readonly faults: { readonly line: number; readonly detail: string }[];
}

export type ComponentsRead =
  | { readonly outcome: 'read'; readonly calendars: readonly Component[] }
  | { readonly outcome: 'refused'; readonly detail: string };

/** A calendar contains events, and an event contains alarms. Deeper nesting than this isn't a calendar. */
const MAX_DEPTH = 16;

/** Reads the calendars of a file with their nested components. */
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
        return refused(
          `Line ${property.line} opens a component at nesting level ${MAX_DEPTH + 1}; at most ${MAX_DEPTH} levels are allowed.`,
        );
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
    : refused('The file has no line BEGIN:VCALENDAR, so it is not an iCalendar file.');
}

function componentOf({ line, value }: Property): Component {
  return { name: value.trim().toUpperCase(), line, properties: [], components: [], faults: [] };
}

/** A component still open inside the ended one has no END. An END without a BEGIN is ignored. */
function end(open: Component[], { value }: Property): void {
  const name = value.trim().toUpperCase();
  const at = open.findLastIndex((one) => one.name === name);
  if (at === -1) return;
  for (const one of open.splice(at).slice(1)) markUnended(one);
}

function markUnended({ faults, line, name }: Component): void {
  faults.push({ line, detail: `Line ${line} begins a ${name} that has no END:${name}.` });
}

function refused(detail: string): ComponentsRead {
  return { outcome: 'refused', detail };
}
