import type { CalendarRow } from './calendar-row.ts';
import { type Component, readComponents, textOf } from './components.ts';
import { describedZone } from './described-zone.ts';
import { type FloatingZone, floatingZone } from './floating-zone.ts';
import { namedZone, type Zone, zoneKey } from './named-zone.ts';
import { type ReadEvent, readEvent } from './read-event.ts';
import { newestRevisions } from './revisions.ts';

/** The result of reading a calendar file: one row for each event, with the errors that prevent its import. */
export type CalendarRead =
  | {
      readonly outcome: 'read';
      readonly rows: readonly CalendarRow[];
      /** The calendar's zone for times without one (X-WR-TIMEZONE); null if it names none. */
      readonly ownZone: string | null;
      /** Number of events that have a time without a zone, if the calendar does not describe this zone. */
      readonly withoutZone: number;
      /** Rows of events whose recurrence rule has more detail than an event can store. */
      readonly simplified: readonly number[];
      /** Single occurrences that equal their recurring event, and older versions. They are not among `rows`. */
      readonly leftOut: readonly CalendarRow[];
      /** Sentences about the whole file, such as a zone of the calendar that is unknown. */
      readonly notes: readonly string[];
      /** A calendar has no END, so that it may lack its last events. A note says so. */
      readonly cutOff: boolean;
    }
  | { readonly outcome: 'refused'; readonly detail: string };

export interface ReadCalendarSettings {
  /** IANA name of the zone for times that have none. Default: the calendar's own, else UTC. */
  readonly zone?: string;
  /** A file with more events is refused. Default: no limit. */
  readonly maxEvents?: number;
}

/** Reads a file of iCalendar calendars (RFC 5545). Never throws, and never expands a recurrence. */
export function readCalendar(
  text: string,
  { zone, maxEvents = Number.POSITIVE_INFINITY }: ReadCalendarSettings = {},
): CalendarRead {
  const read = readComponents(text.startsWith('\uFEFF') ? text.slice(1) : text);
  if (read.outcome === 'refused') return read;
  const count = read.calendars.flatMap(({ components }) => components.filter(isEvent)).length;
  if (count > maxEvents) {
    const [has, most] = [count.toLocaleString('en'), maxEvents.toLocaleString('en')];
    return {
      outcome: 'refused',
      detail: `The file has ${has} events; at most ${most} are imported at once. Split it.`,
    };
  }
  const events: ReadEvent[] = [];
  const floats: FloatingZone[] = [];
  for (const calendar of read.calendars) {
    const zoneOf = calendarZones(calendar);
    const floating = floatingZone(calendar, zone, zoneOf);
    floats.push(floating);
    const cancels = textOf(calendar, 'METHOD')?.toUpperCase() === 'CANCEL';
    for (const one of calendar.components.filter(isEvent)) {
      const event = readEvent(one, {
        ...{ row: events.length + 1, floating: floating.zone, floatingName: floating.name },
        ...{ zoneOf, cancels },
      });
      events.push(floating.described ? { ...event, withoutZone: false } : event);
    }
  }
  const { newest, older } = newestRevisions(events);
  const masters = new Set(newest.flatMap(({ row, occurrence }) => (occurrence ? [] : [identityOf(row)])));
  const isLeftOut = ({ row, occurrence }: ReadEvent) =>
    occurrence && row.errors.length === 0 && masters.has(identityOf(row));
  const kept = newest.filter((one) => !isLeftOut(one));
  const withoutZone = kept.filter((one) => one.withoutZone).length;
  return {
    outcome: 'read',
    rows: kept.map(({ row }) => row),
    ownZone: floats.find(({ ownZone }) => ownZone !== null)?.ownZone ?? null,
    withoutZone,
    notes: [
      ...(withoutZone === 0 ? [] : new Set(floats.flatMap(({ notes }) => notes))),
      ...(read.cutOff ? [CUT_OFF] : []),
    ],
    cutOff: read.cutOff,
    simplified: kept.filter(({ simplified }) => simplified).map(({ row }) => row.row),
    leftOut: [...newest.filter(isLeftOut), ...older].map(({ row }) => row),
  };
}

const CUT_OFF =
  'The file has a BEGIN:VCALENDAR without its END:VCALENDAR, so it may be cut off. Changed days of a series that it lacks are not cancelled.';

function isEvent({ name }: Component): boolean {
  return name === 'VEVENT';
}

/**
 * Approximates the identity of an event (contract: eventId), to distinguish a changed occurrence from its series. An empty
 * location is none.
 */
function identityOf({ event: { title = '', starts_at, location = '' } }: CalendarRow): string {
  return JSON.stringify([title.normalize('NFC'), starts_at, location.normalize('NFC')]);
}

/** Limit on zone lookups, because the platform is slow to reject an unknown name. No real calendar has as many. */
const MAX_ZONES = 500;

/**
 * The zones of a calendar by TZID. The name of a zone is only a label: it means the VTIMEZONE of the same calendar (RFC 5545,
 * 3.2.19 and 3.6.5). Only without one, or if it can't be evaluated, the name itself counts. A name with a leading slash
 * belongs to a registry outside of the calendar, so it counts first.
 */
function calendarZones({ components }: Component): (tzid: string) => Zone | undefined {
  const described = new Map<string, Component>();
  for (const one of components) {
    const tzid = one.name === 'VTIMEZONE' ? one.properties.find(({ name }) => name === 'TZID') : undefined;
    const key = tzid && zoneKey(tzid.value);
    if (key !== undefined && !described.has(key)) described.set(key, one);
  }
  const evaluate = (key: string, named?: Zone): Zone | undefined => {
    const component = described.get(key);
    return component && describedZone(component, named);
  };
  const found = new Map<string, Zone | undefined>();
  return (tzid) => {
    const key = zoneKey(tzid);
    if (!found.has(key) && found.size < MAX_ZONES) {
      const named = namedZone(tzid);
      found.set(key, key.startsWith('/') ? (named ?? evaluate(key)) : (evaluate(key, named) ?? named));
    }
    return found.get(key);
  };
}
