import type { Component } from './components.ts';
import { describedZone } from './described-zone.ts';
import { namedZone, type Zone, zoneKey } from './named-zone.ts';

/** Limit on zone lookups, because the platform is slow to reject an unknown name. No real calendar has as many. */
const MAX_ZONES = 500;

/**
 * The zones of a calendar by TZID. The name of a zone is only a label: it means the VTIMEZONE of the same calendar (RFC 5545,
 * 3.2.19 and 3.6.5). Only without one, or if it can't be evaluated, the name itself counts. A name with a leading slash
 * belongs to a registry outside of the calendar, so it counts first.
 */
export function calendarZones({ components }: Component): (tzid: string) => Zone | undefined {
  const described = new Map<string, Component>();
  for (const one of components) {
    const tzid = one.name === 'VTIMEZONE' ? one.properties.find(({ name }) => name === 'TZID') : undefined;
    const key = tzid && zoneKey(tzid.value);
    if (key !== undefined && !described.has(key)) described.set(key, one);
  }
  const evaluate = (key: string): Zone | undefined => {
    const component = described.get(key);
    return component && describedZone(component);
  };
  const found = new Map<string, Zone | undefined>();
  return (tzid) => {
    const key = zoneKey(tzid);
    if (!found.has(key) && found.size < MAX_ZONES)
      found.set(
        key,
        key.startsWith('/') ? (namedZone(tzid) ?? evaluate(key)) : (evaluate(key) ?? namedZone(tzid)),
      );
    return found.get(key);
  };
}
