import type { Component, Fault } from './components.ts';
import type { Property } from './content-lines.ts';
import { type LocalTime, readCalendarTime } from './local-time.ts';
import { HALF_A_YEAR_MS, type Zone } from './named-zone.ts';
import { readRule } from './recurrence.ts';
import { type YearlyRule, yearlyOnset, yearlyRule } from './yearly-rule.ts';

/** A change of the clocks as a VTIMEZONE describes it (RFC 5545, section 3.6.5). */
interface Observance {
  /** All changes that are listed, the first included, in the local time before them; ascending. */
  readonly listed: readonly LocalTime[];
  readonly rule: YearlyRule | null;
  /** A rule of another kind has changes that can't be evaluated, until then. -Infinity: there is none. */
  readonly unknownUntil: LocalTime;
  /** Offsets from UTC before and after the change, in milliseconds; positive is ahead of UTC. */
  readonly before: number;
  readonly after: number;
}

/** Limit on the listed changes. The longest lists of real programs have those of two centuries. */
const MAX_CHANGES = 1000;

/**
 * The zone that a VTIMEZONE describes; undefined if the description can't be evaluated. A defect that does not matter for a
 * time does not matter: a rule that ended long ago, a date in the year 1, a missing TZOFFSETFROM. The zone returns NaN for a
 * time whose offset depends on a rule that can't be evaluated. `named`: the zone that its name stands for, if any.
 */
export function describedZone({ components, faults }: Component, named?: Zone): Zone | undefined {
  const changes = components.filter(({ name }) => name === 'STANDARD' || name === 'DAYLIGHT');
  const count = changes.reduce((sum, { properties }) => sum + 1 + rdatesOf(properties).length, 0);
  if (count > MAX_CHANGES || [...faults, ...changes.flatMap((one) => one.faults)].some(isUnended))
    return undefined;
  const observances = changes.map((one) => observanceOf(one, changes));
  const readable = observances.filter((one) => one !== undefined);
  if (readable.length === 0 || readable.length < observances.length) return undefined;
  if (readable.some(({ unknownUntil }) => unknownUntil === Number.POSITIVE_INFINITY)) return undefined;
  const earliest = readable.reduce((a, b) => (firstOf(b) < firstOf(a) ? b : a));
  const kinds = new Set(changes.map(({ name }) => name));
  const isHalf = kinds.size === 1 && readable.every(({ after }) => after === earliest.after);
  return (local) => {
    if (named !== undefined && isHalf && hasOffset(named, earliest.after, local)) return named(local);
    const latest = latestBefore(readable, local);
    const isUnknown = readable.some(
      ({ unknownUntil, listed }) =>
        unknownUntil > (latest?.onset ?? Number.NEGATIVE_INFINITY) && local > (listed[0] ?? local),
    );
    return isUnknown ? Number.NaN : local - (latest?.one.after ?? earliest.before);
  };
}

/**
 * Whether a zone has an offset in summer or winter. Some programs describe a zone by the one offset that it has on some day, so the
 * other half of the year follows its name.
 */
function hasOffset(zone: Zone, offset: number, local: LocalTime): boolean {
  return [local, local + HALF_A_YEAR_MS].some((at) => at - zone(at) === offset);
}

function isUnended({ name }: Fault): boolean {
  return name === null;
}

function firstOf({ listed: [first = Number.POSITIVE_INFINITY] }: Observance): LocalTime {
  return first;
}

/** The change that is in effect at a local time. */
function latestBefore(
  observances: readonly Observance[],
  local: LocalTime,
): { readonly one: Observance; readonly onset: LocalTime } | undefined {
  let latest: { readonly one: Observance; readonly onset: LocalTime } | undefined;
  for (const one of observances) {
    const onset = lastOnset(one, local);
    if (onset !== undefined && (latest === undefined || onset > latest.onset)) latest = { one, onset };
  }
  return latest;
}

function lastOnset(one: Observance, local: LocalTime): LocalTime | undefined {
  // The hour that the clocks skip still has the offset before the change.
  const from = local - Math.max(0, one.after - one.before);
  const listed = one.listed.findLast((onset) => onset <= from);
  const yearly = one.rule === null ? undefined : lastYearly(one.rule, firstOf(one), from);
  return listed === undefined || yearly === undefined ? (listed ?? yearly) : Math.max(listed, yearly);
}

/** The last time of a rule counts from then on, however long ago it was. */
function lastYearly(rule: YearlyRule, first: LocalTime, from: LocalTime): LocalTime | undefined {
  const last = new Date(Math.min(from, rule.until)).getUTCFullYear();
  for (const year of [last + 1, last, last - 1]) {
    const onset = yearlyOnset(rule, year);
    if (onset !== undefined && onset >= first && onset <= from) return onset;
  }
  return undefined;
}

function observanceOf({ properties }: Component, all: readonly Component[]): Observance | undefined {
  const find = (name: string) => properties.find((one) => one.name === name);
  const written = find('RRULE')?.value.trim() ?? '';
  const onset = find('DTSTART')?.value.trim() ?? '';
  const first = /^0*(?:T0*)?$/i.test(onset) ? unwrittenOnset(written, all) : onsetOf(onset);
  const after = offsetOf(find('TZOFFSETTO'));
  if (first === undefined || after === undefined) return undefined;
  // Without TZOFFSETFROM, the clocks come from the other offset of the zone.
  const before = offsetOf(find('TZOFFSETFROM')) ?? otherOffset(all, after);
  const listed = [first, ...rdatesOf(properties).flatMap((text) => onsetOf(text) ?? [])].sort(
    (a, b) => a - b,
  );
  const one = { listed, rule: null, unknownUntil: Number.NEGATIVE_INFINITY, before, after };
  if (written === '') return one;
  const rule = yearlyRule(written, first, before);
  return rule === undefined ? { ...one, unknownUntil: endOf(written) } : { ...one, rule };
}

/** The onset of a change whose DTSTART is missing or all zeros. A rule that names the day needs none, and neither does a zone of one offset. */
function unwrittenOnset(rule: string, all: readonly Component[]): LocalTime | undefined {
  const parts = readRule(rule);
  const isKnown = rule === '' ? all.length === 1 : parts.has('BYMONTH') && parts.has('BYDAY');
  return isKnown ? onsetOf(USUAL_HOUR) : undefined;
}

/** The clocks change at this hour in most places. */
const USUAL_HOUR = '00000101T020000';

function otherOffset(all: readonly Component[], after: number): number {
  const offsets = all.map(({ properties }) => offsetOf(properties.find(({ name }) => name === 'TZOFFSETTO')));
  return offsets.find((offset) => offset !== undefined && offset !== after) ?? after;
}

function onsetOf(text: string): LocalTime | undefined {
  return readCalendarTime(text, { firstYear: 0 })?.local;
}

/** When a rule that can't be evaluated ends. */
function endOf(rule: string): LocalTime {
  return readCalendarTime(readRule(rule).get('UNTIL') ?? '')?.local ?? Number.POSITIVE_INFINITY;
}

function rdatesOf(properties: readonly Property[]): string[] {
  return properties.flatMap(({ name, value }) => (name === 'RDATE' ? value.split(',') : []));
}

/** Some programs write a colon, no sign, or hours alone. */
const OFFSET = /^([+-]?)(\d{2})(?::?(\d{2}))?(?::?(\d{2}))?$/;

function offsetOf(property: Property | undefined): number | undefined {
  const parts = OFFSET.exec(property?.value.trim() ?? '');
  if (parts === null) return undefined;
  const seconds = (Number(parts[2]) * 60 + Number(parts[3] ?? 0)) * 60 + Number(parts[4] ?? 0);
  return (parts[1] === '-' ? -1000 : 1000) * seconds;
}
