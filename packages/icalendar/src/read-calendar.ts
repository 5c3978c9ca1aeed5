import type { CalendarRow } from './calendar-row.ts';
import { type Component, readComponents } from './components.ts';
import { describedZone } from './described-zone.ts';
import { namedZone, UTC, type Zone } from './named-zone.ts';
import { type ReadEvent, readEvent } from './read-event.ts';

/** What a file of calendars comes to: a row for each event that can be imported, or cannot and says why. */
export type CalendarRead =
  | {
      readonly outcome: 'read';
      readonly rows: readonly CalendarRow[];
      /** The zone that the calendar names for times that have none (X-WR-TIMEZONE); null: it names none. */
      readonly ownZone: string | null;
      /** How many events have times without a zone. */
      readonly withoutZone: number;
      /** Events whose rule of recurrence says more than an event here can: their rows. */
      readonly simplified: readonly number[];
      /** Single days of a recurring event that were cancelled, or say what the recurring one says: their rows. */
      readonly leftOut: readonly number[];
    }
  | { readonly outcome: 'refused'; readonly detail: string };

export interface ReadCalendarSettings {
  /** IANA name of the zone for times that have none. Default: the calendar's own, else UTC. */
  readonly zone?: string;
  /** A file of more events is refused. Default: any number. */
  readonly maxEvents?: number;
}

/** Reads a file of iCalendar calendars (RFC 5545). Never throws, and expands nothing that recurs. */
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
      detail: `It has ${has} events; at most ${most} are imported at once. Split it.`,
    };
  }
  const events: ReadEvent[] = [];
  const ownZones: string[] = [];
  for (const calendar of read.calendars) {
    const own = textOf(calendar, 'X-WR-TIMEZONE');
    const ownZone = own === undefined ? undefined : namedZone(own);
    if (own !== undefined && ownZone !== undefined) ownZones.push(own);
    const floating = (zone === undefined ? ownZone : namedZone(zone)) ?? UTC;
    const cancels = textOf(calendar, 'METHOD')?.toUpperCase() === 'CANCEL';
    const zoneOf = zonesOf(calendar);
    for (const one of calendar.components.filter(isEvent)) {
      events.push(readEvent(one, { row: events.length + 1, floating, zoneOf, cancels }));
    }
  }
  const masters = new Set(events.flatMap(({ row, occurrence }) => (occurrence ? [] : [identityOf(row)])));
  const isLeftOut = ({ row, occurrence }: ReadEvent) =>
    occurrence && row.errors.length === 0 && (row.action === 'cancel' || masters.has(identityOf(row)));
  const kept = events.filter((one) => !isLeftOut(one));
  return {
    outcome: 'read',
    rows: kept.map(({ row }) => row),
    ownZone: ownZones[0] ?? null,
    withoutZone: kept.filter(({ withoutZone }) => withoutZone).length,
    simplified: kept.filter(({ simplified }) => simplified).map(({ row }) => row.row),
    leftOut: events.filter(isLeftOut).map(({ row }) => row.row),
  };
}

function isEvent({ name }: Component): boolean {
  return name === 'VEVENT';
}

/** What makes two events one (contract: eventId), near enough to tell a changed day from the series it belongs to. */
function identityOf({ event: { title, starts_at, location } }: CalendarRow): string {
  return JSON.stringify([title, starts_at, location]);
}

function textOf({ properties }: Component, name: string): string | undefined {
  return properties.find((one) => one.name === name)?.value.trim();
}

/** No calendar has as many; to find out that a name is none takes the platform long. */
const MAX_ZONES = 500;

/** The zones of a calendar: those that the platform knows by name, then those that it describes itself. */
function zonesOf({ components }: Component): (tzid: string) => Zone | undefined {
  const described = new Map<string, Component>();
  for (const one of components) {
    const tzid = one.name === 'VTIMEZONE' ? textOf(one, 'TZID') : undefined;
    if (tzid !== undefined && !described.has(tzid)) described.set(tzid, one);
  }
  const found = new Map<string, Zone | undefined>();
  return (tzid) => {
    if (!found.has(tzid) && found.size < MAX_ZONES) {
      const component = described.get(tzid);
      found.set(tzid, namedZone(tzid) ?? (component && describedZone(component)));
    }
    return found.get(tzid);
  };
}
