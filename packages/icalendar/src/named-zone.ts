import { offsetZone } from './offset-zone.ts';
import { ianaOfWindows } from './windows-zones.ts';
import type { Zone } from './zone.ts';
import { plainZoneName } from './zone-key.ts';

const DAY_MS = 86_400_000;

/** Cached, because creating a formatter is expensive. There are about 600 zones. */
const known = new Map<string, Zone | undefined>();
const MAX_KNOWN = 2000;

/**
 * The zone that a name stands for everywhere: an IANA name, a name of Windows or a plain offset; undefined for any other name.
 * Some calendars put a vendor prefix before the name (`/mozilla.org/20050126_1/Europe/Berlin`), or blanks into it.
 */
export function namedZone(tzid: string): Zone | undefined {
  const name = plainZoneName(tzid);
  const key = name.toLowerCase();
  if (known.has(key)) return known.get(key);
  const zone = offsetZone(key) ?? firstZone(namesIn(name)) ?? firstZone([ianaOfWindows(key)]);
  if (known.size < MAX_KNOWN) known.set(key, zone);
  return zone;
}

/** The names of regions in a text, the longest first: a region has one or two slashes. */
function namesIn(name: string): string[] {
  const parts = name.replaceAll(' ', '_').split('/');
  return [parts.join('/'), parts.slice(-3).join('/'), parts.slice(-2).join('/')].slice(0, parts.length);
}

function firstZone(names: readonly (string | undefined)[]): Zone | undefined {
  for (const name of names) {
    const zone = name === undefined || LEGACY_OF_ICU.test(name) ? undefined : zoneOf(name);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/**
 * Short names that ICU takes for zones and IANA does not know. NST means New Zealand to ICU, and Newfoundland to people there.
 */
const LEGACY_OF_ICU =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i;

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
function instantIn(offset: (at: number) => number, ofDay: (at: number) => number, local: number): number {
  const day = Math.floor(local / DAY_MS) * DAY_MS;
  const [before, after] = [ofDay(day - DAY_MS), ofDay(day + 2 * DAY_MS)];
  if (before === after || offset(local - before) === before) return local - before;
  return offset(local - after) === after ? local - after : local - before;
}
