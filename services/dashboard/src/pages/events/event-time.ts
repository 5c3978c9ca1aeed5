const MINUTE: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
};

/** Formats in the viewer's time zone, in that of the event, and in UTC. Zones whose clocks show the same are named once. */
export function eventTime(iso: string, timeZone: string | null): string {
  const zones = [undefined, ...(timeZone === null ? [] : [timeZone]), 'UTC'];
  return [...new Set(zones.map((zone) => format(iso, MINUTE, zone)))].join(' · ');
}

/** The time of day in a zone, with its name: `10:00 CET`. Null if the viewer's clocks show the same. */
export function zoneTimeOfDay(iso: string, timeZone: string): string | null {
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  if (format(iso, clock, timeZone) === format(iso, clock)) return null;
  return format(iso, { ...clock, timeZoneName: 'short' }, timeZone);
}

function format(iso: string, options: Intl.DateTimeFormatOptions, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, ...(timeZone !== undefined && { timeZone }) }).format(
    new Date(iso),
  );
}
