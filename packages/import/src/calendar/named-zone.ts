import { type ZoneClock, zoneClock } from '@sluice/contract/zone-clock';
import { offsetZone } from './offset-zone.ts';
import { ianaOfWindows } from './windows-zones.ts';
import type { Zone } from './zone.ts';
import { plainZoneName } from './zone-key.ts';

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
  const zone = offsetZone(key) ?? clockNamed(name)?.toInstant;
  if (known.size < MAX_KNOWN) known.set(key, zone);
  return zone;
}

/** The IANA name of the zone that a name stands for everywhere; undefined for an offset and any other name. */
export function ianaName(tzid: string): string | undefined {
  const name = plainZoneName(tzid);
  return offsetZone(name.toLowerCase()) === undefined ? clockNamed(name)?.name : undefined;
}

function clockNamed(name: string): ZoneClock | undefined {
  return firstClock(namesIn(name)) ?? firstClock([ianaOfWindows(name.toLowerCase())]);
}

/** The names of regions in a text, the longest first: a region has one or two slashes. */
function namesIn(name: string): string[] {
  const parts = name.replaceAll(' ', '_').split('/');
  return [parts.join('/'), parts.slice(-3).join('/'), parts.slice(-2).join('/')].slice(0, parts.length);
}

function firstClock(names: readonly (string | undefined)[]): ZoneClock | undefined {
  for (const name of names) {
    const clock = name === undefined || LEGACY_OF_ICU.test(name) ? undefined : zoneClock(name);
    if (clock !== undefined) return clock;
  }
  return undefined;
}

/**
 * Short names that ICU takes for zones and IANA does not know. NST means New Zealand to ICU, and Newfoundland to people there.
 */
const LEGACY_OF_ICU =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i;
