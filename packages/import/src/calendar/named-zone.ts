import { DAY_MS } from '@sluice/contract/time/durations';
import { type ZoneClock, zoneClock } from '@sluice/contract/time/zone-clock';
import { WINDOWS_TO_IANA_MAP } from 'windows-iana';
import type { LocalTime } from './local-time.ts';
import { DISPLAYED_ZONES } from './windows-zone-names.ts';

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
  const zone = zoneOf(name)?.toInstant;
  if (known.size < MAX_KNOWN) known.set(key, zone);
  return zone;
}

/** The IANA name of the zone that a name stands for everywhere; undefined for an offset and any other name. */
export function ianaName(tzid: string): string | undefined {
  return zoneOf(plainZoneName(tzid))?.name;
}

interface KnownZone {
  readonly toInstant: Zone;
  /** Its IANA name. Absent for an offset. */
  readonly name?: string;
}

function zoneOf(tzid: string): KnownZone | undefined {
  for (const name of namesIn(tzid)) {
    const key = name.toLowerCase();
    const offset = offsetZone(key);
    if (offset !== undefined) return { toInstant: offset };
    const region = name === tzid || name.includes('/') ? name.replaceAll(' ', '_') : undefined;
    const clock = clockOf(region) ?? clockOf(ianaOfWindows(key));
    if (clock !== undefined) return clock;
  }
  return undefined;
}

/** A name and its ends, the longest first: a region has one or two slashes, a name of Windows and an offset have none. */
function namesIn(name: string): string[] {
  const parts = name.split('/');
  const lengths = [3, 2, 1].filter((length) => length < parts.length);
  return [name, ...lengths.map((length) => parts.slice(-length).join('/'))];
}

function clockOf(name: string | undefined): ZoneClock | undefined {
  return name === undefined || LEGACY_OF_ICU.test(name) ? undefined : zoneClock(name);
}

/**
 * Short names that ICU takes for zones and IANA does not know. NST means New Zealand to ICU, and Newfoundland to people there.
 */
const LEGACY_OF_ICU =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i;

/**
 * The form in which names of zones are compared. The property TZID is TEXT, so its commas, semicolons and backslashes are
 * escaped (RFC 5545, 3.8.3.1 and 3.3.11). The parameter TZID is quoted instead (3.1). Both are one name. Blanks around a name,
 * quotes and case carry no meaning.
 */
export function zoneKey(tzid: string): string {
  return plainZoneName(tzid).toLowerCase();
}

/** The name without escapes, also those of a parameter (RFC 6868) and of JSON, and without quotes and blanks around it. */
export function plainZoneName(tzid: string): string {
  return tzid
    .replace(/\\([\\;,:/"])/g, '$1')
    .replace(/\^(['^])/g, (_, escaped) => (escaped === '^' ? '^' : ''))
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `Z`, `UTC`, `+02:00`, `UTC+01:00`, `GMT-0330`, `(UTC+5)`: positive is ahead of UTC. */
const OFFSET = /^\(?(?:(?:utc|gmt)\s*)?([+-])(\d{1,2})(?::?(\d{2}))?\)?$/;
const OF_UTC = /^\(?(?:z|utc|gmt|zulu|coordinated universal time|tzone:\/\/microsoft\/utc)\)?$/;

/** The zone of a name that is a plain offset from UTC; undefined for any other name. `key`: see zoneKey. */
function offsetZone(key: string): Zone | undefined {
  if (OF_UTC.test(key)) return UTC;
  const parts = OFFSET.exec(key);
  if (parts === null) return undefined;
  const [hours, minutes] = [Number(parts[2]), Number(parts[3] ?? 0)];
  // The clocks of no place differ more from UTC.
  if (hours > 18 || minutes > 59) return undefined;
  const offset = (parts[1] === '-' ? -60_000 : 60_000) * (hours * 60 + minutes);
  return (local) => local - offset;
}

/** The territory of CLDR's windowsZones that stands for the zone as a whole. */
const WORLD = '001';

const ianaNames = new Map(
  WINDOWS_TO_IANA_MAP.flatMap(({ windowsName, territory, iana }) =>
    territory === WORLD && iana[0] !== undefined ? [[windowsName.toLowerCase(), iana[0]] as const] : [],
  ),
);

const OFFSET_BEFORE = /^\((?:utc|gmt)(?:[+-]\d{1,2}[:.]?\d{2})?\)\s*/;
/** Outlook numbers a zone that it describes once more: `Eastern Standard Time 1`. */
const NUMBER_BEHIND = / \d{1,2}$/;

/**
 * The IANA name of a zone that Windows names, by CLDR's windowsZones; undefined for any other name. It knows the names of the
 * registry (`Eastern Standard Time`) and those that Windows shows (`(UTC-05:00) Eastern Time (US & Canada)`). `key`: see
 * zoneKey.
 */
function ianaOfWindows(key: string): string | undefined {
  // Exchange once wrote `(GMT+01.00) Sarajevo/Warsaw/Zagreb`.
  const shown = key
    .replace(OFFSET_BEFORE, '')
    .replace(NUMBER_BEHIND, '')
    .replace(/\s*\/\s*/g, ', ');
  return ianaNames.get(shown) ?? ianaNames.get(DISPLAYED_ZONES.get(shown) ?? '');
}

/** Converts a local time of a time zone to an instant, in milliseconds since the Unix epoch. */
export type Zone = (local: LocalTime) => number;

/** Summer and winter are this far apart. */
export const HALF_A_YEAR_MS = 182 * DAY_MS;

export const UTC: Zone = (local) => local;
