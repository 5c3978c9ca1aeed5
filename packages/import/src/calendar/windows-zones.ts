import { WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { DISPLAYED_ZONES } from './displayed-zones.ts';

/** The territory of CLDR's windowsZones that stands for the zone as a whole. */
const WORLD = '001';

const ianaNames = new Map(
  WINDOWS_TO_IANA_MAP.flatMap(({ windowsName, territory, iana }) =>
    territory === WORLD && iana[0] !== undefined ? [[windowsName.toLowerCase(), iana[0]] as const] : [],
  ),
);

const OFFSET_BEFORE = /^\((?:utc|gmt)(?:[+-]\d{1,2}[:.]?\d{2})?\)\s*/;

/**
 * The IANA name of a zone that Windows names, by CLDR's windowsZones; undefined for any other name. It knows the names of the
 * registry (`Eastern Standard Time`) and those that Windows shows (`(UTC-05:00) Eastern Time (US & Canada)`). `key`: see
 * zone-key.ts.
 */
export function ianaOfWindows(key: string): string | undefined {
  const shown = key.replace(OFFSET_BEFORE, '');
  return ianaNames.get(shown) ?? ianaNames.get(DISPLAYED_ZONES.get(shown) ?? '');
}
