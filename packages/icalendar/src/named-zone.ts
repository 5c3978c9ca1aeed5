import type { LocalTime } from './local-time.ts';

/** Converts a local time of a time zone to an instant, in milliseconds since the Unix epoch. */
export type Zone = (local: LocalTime) => number;

export const UTC: Zone = (local) => local;

const DAY_MS = 86_400_000;

/** Cached, because creating a formatter is expensive. There are about 600 zones. */
const known = new Map<string, Zone | undefined>();
const MAX_KNOWN = 2000;

/**
 * The zone of an IANA name, from the platform's data; undefined if the platform has no such zone. Some calendars put a
 * vendor prefix before the name (`/mozilla.org/20050126_1/Europe/Berlin`).
 */
export function namedZone(tzid: string): Zone | undefined {
  if (known.has(tzid)) return known.get(tzid);
  const parts = tzid.split('/');
  const names = tzid.startsWith('/') ? [parts.slice(-3).join('/'), parts.slice(-2).join('/')] : [tzid];
  const zone = names.map(zoneOf).find((one) => one !== undefined);
  if (known.size < MAX_KNOWN) known.set(tzid, zone);
  return zone;
}

function zoneOf(timeZone: string): Zone | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', { timeZone, ...FIELDS });
  } catch {
    return undefined;
  }
  const days = new Map<number, number>();
  const ofDay = (at: number): number => {
    const offset = days.get(at) ?? offsetAt(format, at);
    if (days.size < MAX_DAYS) days.set(at, offset);
    return offset;
  };
  return (local) => instantIn((at) => offsetAt(format, at), ofDay, local);
}

/** Days whose offset a zone caches, because asking the platform is expensive. */
const MAX_DAYS = 10_000;

const FIELDS = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

/** How far the clocks are ahead of UTC at an instant, in milliseconds. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/**
 * A time that the clocks show twice means the first of the two. A time that they skip uses the offset before the change
 * (RFC 5545, section 3.3.5). `ofDay` is called for the days around it; no zone changes its clocks twice in between.
 */
function instantIn(offset: (at: number) => number, ofDay: (at: number) => number, local: LocalTime): number {
  const day = Math.floor(local / DAY_MS) * DAY_MS;
  const [before, after] = [ofDay(day - DAY_MS), ofDay(day + 2 * DAY_MS)];
  if (before === after || offset(local - before) === before) return local - before;
  return offset(local - after) === after ? local - after : local - before;
}
