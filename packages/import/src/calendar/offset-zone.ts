import { UTC, type Zone } from './zone.ts';

/** `Z`, `UTC`, `+02:00`, `UTC+01:00`, `GMT-0330`, `(UTC+5)`: positive is ahead of UTC. */
const OFFSET = /^\(?(?:(?:utc|gmt)\s*)?([+-])(\d{1,2})(?::?(\d{2}))?\)?$/;
const OF_UTC = /^\(?(?:z|utc|gmt|zulu|coordinated universal time|tzone:\/\/microsoft\/utc)\)?$/;

/** The zone of a name that is a plain offset from UTC; undefined for any other name. `key`: see zone-key.ts. */
export function offsetZone(key: string): Zone | undefined {
  if (OF_UTC.test(key)) return UTC;
  const parts = OFFSET.exec(key);
  if (parts === null) return undefined;
  const [hours, minutes] = [Number(parts[2]), Number(parts[3] ?? 0)];
  // The clocks of no place differ more from UTC.
  if (hours > 18 || minutes > 59) return undefined;
  const offset = (parts[1] === '-' ? -60_000 : 60_000) * (hours * 60 + minutes);
  return (local) => local - offset;
}
