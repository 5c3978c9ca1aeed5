import type { Component } from './components.ts';
import type { Property } from './content-lines.ts';
import { type LocalTime, readCalendarTime } from './local-time.ts';
import type { Zone } from './named-zone.ts';
import { type YearlyRule, yearlyOnset, yearlyRule } from './yearly-rule.ts';

/** A change of the clocks as a VTIMEZONE describes it (RFC 5545, section 3.6.5). */
interface Observance {
  /** The first change, in the local time before it. */
  readonly first: LocalTime;
  readonly others: readonly LocalTime[];
  readonly rule: YearlyRule | null;
  /** Offsets from UTC before and after the change, in milliseconds; positive is ahead of UTC. */
  readonly before: number;
  readonly after: number;
}

/** Limit on the changes evaluated for each time. Calendar programs write those of a few decades. */
const MAX_CHANGES = 150;

/** The zone that a VTIMEZONE describes; undefined if the description can't be evaluated. */
export function describedZone({ components, faults }: Component): Zone | undefined {
  const changes = components.reduce((sum, { properties }) => sum + 1 + rdatesOf(properties).length, 0);
  if (changes > MAX_CHANGES) return undefined;
  const observances = components.map(observanceOf);
  const readable = observances.filter((one) => one !== undefined);
  if (faults.length > 0 || readable.length === 0 || readable.length < components.length) return undefined;
  const earliest = readable.reduce((a, b) => (b.first < a.first ? b : a));
  return (local) => local - (latestBefore(readable, local)?.after ?? earliest.before);
}

/** The change that is in effect at a local time. */
function latestBefore(observances: readonly Observance[], local: LocalTime): Observance | undefined {
  let latest: { readonly one: Observance; readonly onset: LocalTime } | undefined;
  for (const one of observances) {
    const onset = lastOnset(one, local);
    if (onset !== undefined && (latest === undefined || onset > latest.onset)) latest = { one, onset };
  }
  return latest?.one;
}

function lastOnset(one: Observance, local: LocalTime): LocalTime | undefined {
  // The hour that the clocks skip still has the offset before the change.
  const from = local - Math.max(0, one.after - one.before);
  const year = new Date(local).getUTCFullYear();
  const yearly = one.rule === null ? [] : [yearlyOnset(one.rule, year - 1), yearlyOnset(one.rule, year)];
  let last: LocalTime | undefined;
  for (const onset of [one.first, ...one.others, ...yearly]) {
    if (onset === undefined || onset < one.first || onset > from) continue;
    if (last === undefined || onset > last) last = onset;
  }
  return last;
}

function observanceOf(component: Component): Observance | undefined {
  const find = (name: string) => component.properties.find((one) => one.name === name);
  const first = readCalendarTime(find('DTSTART')?.value ?? '')?.local;
  const before = offsetOf(find('TZOFFSETFROM'));
  const after = offsetOf(find('TZOFFSETTO'));
  if (component.faults.length > 0 || first === undefined || before === undefined || after === undefined)
    return undefined;
  const others = rdatesOf(component.properties).flatMap((text) => readCalendarTime(text)?.local ?? []);
  const written = find('RRULE');
  if (written === undefined) return { first, others, rule: null, before, after };
  const rule = yearlyRule(written.value, first, before);
  return rule && { first, others, rule, before, after };
}

function rdatesOf(properties: readonly Property[]): string[] {
  return properties.flatMap(({ name, value }) => (name === 'RDATE' ? value.split(',') : []));
}

const OFFSET = /^([+-])(\d{2})(\d{2})(\d{2})?$/;

function offsetOf(property: Property | undefined): number | undefined {
  const parts = OFFSET.exec(property?.value.trim() ?? '');
  if (parts === null) return undefined;
  const seconds = (Number(parts[2]) * 60 + Number(parts[3])) * 60 + Number(parts[4] ?? 0);
  return (parts[1] === '-' ? -1000 : 1000) * seconds;
}
