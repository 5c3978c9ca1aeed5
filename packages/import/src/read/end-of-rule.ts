import { parseInstant } from '@sluice/contract/time/instant';
import { lastOccurrence } from '../calendar/last-occurrence.ts';
import { namedZone, type Zone } from '../calendar/named-zone.ts';
import { written } from '../calendar/read-times.ts';
import { readRule } from '../calendar/recurrence.ts';

/** Whether a rule ends. */
export function hasEnd(rule: string): boolean {
  const parts = readRule(rule);
  return parts.has('UNTIL') || parts.has('COUNT');
}

/**
 * When the last occurrence of a rule starts, as text for the API; undefined if the rule has no end that can be computed. `start`: the
 * first start, as an instant. `zone`: the zone or the offset of the start.
 */
export function endOfRule(rule: string, start: string, zone: string): string | undefined {
  const [first, toInstant] = [parseInstant(start), namedZone(zone)];
  if (!first.ok || toInstant === undefined) return undefined;
  const local = localOf(first.epochMs, toInstant);
  const time = { local, utc: false, offset: 0, wholeDay: false };
  const last = lastOccurrence(rule, { time, zone: toInstant });
  return last === undefined ? undefined : written(last);
}

/** The local time of an instant. Near a change of the clocks, the second step corrects the first. */
function localOf(instant: number, zone: Zone): number {
  let local = instant;
  for (let step = 0; step < 3; step++) local += instant - zone(local);
  return local;
}
