import { type Component, textOf } from './components.ts';
import { readCalendarTime } from './local-time.ts';
import { namedZone, plainZoneName, UTC, type Zone } from './named-zone.ts';

/** The zone of times that name none. */
export interface FloatingZone {
  readonly zone: Zone;
  /** The name of this zone; undefined if it has none. */
  readonly name?: string;
  /** The zone that the calendar names for such times; null if it names none, or an unknown one. */
  readonly ownZone: string | null;
  /** The calendar itself describes the zone, and none was chosen. It is used like that of a TZID. */
  readonly described?: true;
  readonly notes: readonly string[];
}

/**
 * The zone that the caller chose, else the calendar's own: X-WR-TIMEZONE, or TZ of vCalendar 1.0; else UTC. `zoneOf`: the zones
 * that the calendar describes.
 */
export function floatingZone(
  calendar: Component,
  chosen: string | undefined,
  zoneOf: (tzid: string) => Zone | undefined,
): FloatingZone {
  const own = plainZoneName(textOf(calendar, 'X-WR-TIMEZONE') ?? '');
  const ownZone = own === '' ? undefined : namedZone(own);
  const chosenZone = chosen === undefined ? undefined : namedZone(chosen);
  if (chosenZone !== undefined)
    return { zone: chosenZone, ...named(chosen), ownZone: ownZone === undefined ? null : own, notes: [] };
  if (ownZone !== undefined) return { zone: ownZone, name: own, ownZone: own, notes: [] };
  const described = own === '' ? undefined : zoneOf(own);
  if (described !== undefined) return { zone: described, ownZone: null, described: true, notes: [] };
  const ofVersion1 = zoneOfVersion1(calendar);
  if (ofVersion1 !== undefined) return ofVersion1;
  const notes =
    own === ''
      ? []
      : [`The calendar's time zone "${own.slice(0, 60)}" is unknown. Times without a zone were read in UTC.`];
  return { zone: UTC, ownZone: null, notes };
}

function named(name: string | undefined): Pick<FloatingZone, 'name'> {
  return name === undefined ? {} : { name };
}

/**
 * The zone of vCalendar 1.0: TZ is the offset without summer time, and each DAYLIGHT line a summer (vCalendar 1.0, sections
 * 2.2.1 and 2.2.4: flag, offset, begin, end, names).
 */
function zoneOfVersion1(calendar: Component): FloatingZone | undefined {
  const written = textOf(calendar, 'TZ');
  const standard = written === undefined ? undefined : namedZone(written);
  if (written === undefined || standard === undefined) return undefined;
  const summers = calendar.properties.flatMap(({ name, value }) =>
    name === 'DAYLIGHT' ? (summerOf(value) ?? []) : [],
  );
  const years = new Set(summers.flatMap(({ from, to }) => [yearOf(from), yearOf(to)]));
  const zone: Zone = (local) => {
    const summer = summers.find(({ from, to }) => local >= from && local < to);
    // A year without its summer cannot be told from one without summer time.
    if (summers.length > 0 && !years.has(yearOf(local))) return Number.NaN;
    return summer === undefined ? standard(local) : summer.zone(local);
  };
  return { zone, ownZone: null, described: true, notes: [] };
}

interface Summer {
  readonly zone: Zone;
  readonly from: number;
  readonly to: number;
}

function summerOf(value: string): Summer | undefined {
  const [flag = '', offset = '', begin = '', end = ''] = value.split(';');
  const [zone, from, to] = [namedZone(offset), readCalendarTime(begin), readCalendarTime(end)];
  if (flag.trim().toUpperCase() !== 'TRUE' || zone === undefined || from === undefined || to === undefined)
    return undefined;
  // Begin and end are local times; with Z they are instants.
  const local = (time: { local: number; utc: boolean }) =>
    time.utc ? 2 * time.local - zone(time.local) : time.local;
  return { zone, from: local(from), to: local(to) };
}

function yearOf(local: number): number {
  return new Date(local).getUTCFullYear();
}
