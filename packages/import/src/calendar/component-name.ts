/** The components of the iCalendar standards, of vCalendar 1.0 and of vCard. */
const KNOWN = new Set(
  `VCALENDAR VEVENT VTODO VJOURNAL VFREEBUSY VTIMEZONE STANDARD DAYLIGHT VALARM VAVAILABILITY AVAILABLE BUSY PARTICIPANT VLOCATION
  VRESOURCE VPOLL VVOTER VOTE VPATCH PATCH VCARD`.split(/\s+/),
);
const NAME = /^[A-Z][A-Z0-9_-]*$/;

/**
 * The name of a component in capital letters, as BEGIN or END names it; undefined for words of a description, such as in "BEGIN: 7PM".
 * Unknown names count only if they are written as programs write them: in capitals, or with "X-" before them.
 */
export function componentName(value: string): string | undefined {
  const written = value.trimEnd();
  const name = written.trim().toUpperCase();
  const isOfProgram = NAME.test(name) && (written === name || /^x-/i.test(written));
  return KNOWN.has(name) || isOfProgram ? name : undefined;
}
