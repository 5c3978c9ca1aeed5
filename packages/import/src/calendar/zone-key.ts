/**
 * The form in which names of zones are compared. The property TZID is TEXT, so its commas, semicolons and backslashes are
 * escaped (RFC 5545, 3.8.3.1 and 3.3.11). The parameter TZID is quoted instead (3.1). Both are one name. Blanks around a name,
 * quotes and case carry no meaning.
 */
export function zoneKey(tzid: string): string {
  return plainZoneName(tzid).toLowerCase();
}

/** The name without escapes, quotes and blanks around it. */
export function plainZoneName(tzid: string): string {
  return tzid
    .replace(/\\([\\;,])/g, '$1')
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .trim();
}
