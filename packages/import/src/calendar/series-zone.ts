import { DAY_MS } from '@sluice/contract/durations';
import type { Reading } from './event-reading.ts';
import type { RecurringStart } from './last-occurrence.ts';
import { ianaName, namedZone } from './named-zone.ts';

const HALF_A_YEAR_MS = 182 * DAY_MS;

/**
 * The IANA name of the zone of a recurring event. Undefined if the event does not recur or names no zone, and if the calendar's
 * own description of the zone disagrees with the name, in summer or in winter.
 */
export function seriesZone(
  { event, find, settings }: Reading,
  { time, zone }: RecurringStart,
): string | undefined {
  if (event.recurring === undefined || time.utc) return undefined;
  const written = find('DTSTART')?.params.get('TZID') ?? settings.floatingName;
  const name = written === undefined ? undefined : ianaName(written);
  const named = name === undefined ? undefined : namedZone(name);
  const agrees = [time.local, time.local + HALF_A_YEAR_MS].every((local) => zone(local) === named?.(local));
  return agrees ? name : undefined;
}
