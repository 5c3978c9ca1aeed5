import { DAY_MS } from './durations.ts';

/** The clocks of a time zone. Instants and local times are milliseconds since the Unix epoch; a local time is written as if in UTC. */
export interface ZoneClock {
  /** The name as the platform writes it, such as `Europe/Berlin`. */
  readonly name: string;
  toLocal(instant: number): number;
  /**
   * A time that the clocks show twice means the first of the two. A time that they skip uses the offset before the change
   * (RFC 5545, section 3.3.5).
   */
  toInstant(local: number): number;
}

/** Cached, because creating a formatter is expensive. There are about 600 zones. */
const known = new Map<string, ZoneClock | undefined>();
const MAX_KNOWN = 2000;

/** Days whose offset a zone caches, because asking the platform is expensive. Bounds the memory of all zones to some 60 MB. */
const MAX_DAYS = 2000;

const FIELDS = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

/** The clock of a zone by a name that the platform knows; undefined for any other name. */
export function zoneClock(timeZone: string): ZoneClock | undefined {
  if (known.has(timeZone)) return known.get(timeZone);
  const clock = createClock(timeZone);
  if (known.size < MAX_KNOWN) known.set(timeZone, clock);
  return clock;
}

function createClock(timeZone: string): ZoneClock | undefined {
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
  return {
    name: format.resolvedOptions().timeZone,
    toLocal(instant) {
      const [before, after] = around(ofDay, instant);
      return instant + (before === after ? before : offsetAt(format, instant));
    },
    toInstant: (local) => instantIn((at) => offsetAt(format, at), ofDay, local),
  };
}

/** The offsets of the days before and after a time. No zone changes its clocks twice in between. */
function around(ofDay: (at: number) => number, at: number): [before: number, after: number] {
  const day = Math.floor(at / DAY_MS) * DAY_MS;
  return [ofDay(day - DAY_MS), ofDay(day + 2 * DAY_MS)];
}

/** How far the clocks are ahead of UTC at an instant, in milliseconds. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

function instantIn(offset: (at: number) => number, ofDay: (at: number) => number, local: number): number {
  const [before, after] = around(ofDay, local);
  if (before === after || offset(local - before) === before) return local - before;
  return offset(local - after) === after ? local - after : local - before;
}
