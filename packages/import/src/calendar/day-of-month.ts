import { DAY_MS } from '@sluice/contract/time/durations';

/** A rule for one day of a month: all conditions must match. */
export interface DayOfMonth {
  /** 0 is Sunday; null: any weekday. */
  readonly weekday: number | null;
  /** 2 is the second such weekday, and -1 the last. null: the first. */
  readonly nth: number | null;
  /** Days of the month, negative from the end. Empty: any day. */
  readonly days: readonly number[];
}

export const WEEKDAYS: readonly string[] = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/**
 * Reads BYDAY, BYMONTHDAY and BYSETPOS of a rule; undefined if this reader can't evaluate them. Without any, it is the day
 * `otherwise`.
 */
export function readDayOfMonth(rule: ReadonlyMap<string, string>, otherwise: number): DayOfMonth | undefined {
  const position = /^-?[1-5]$/.exec(rule.get('BYSETPOS') ?? '');
  if (rule.has('BYSETPOS') && (position === null || rule.has('BYMONTHDAY') || !rule.has('BYDAY')))
    return undefined;
  const byDay = /^([+-]?[1-5])?(SU|MO|TU|WE|TH|FR|SA)$/.exec(rule.get('BYDAY') ?? '');
  const days = (rule.get('BYMONTHDAY') ?? '').split(',').filter(Boolean).map(Number);
  const wrongDays = days.some((day) => !Number.isInteger(day) || Math.abs(day) > 31 || day === 0);
  if (wrongDays || (rule.has('BYDAY') && byDay === null)) return undefined;
  const nth = byDay?.[1] ?? position?.[0];
  return {
    weekday: byDay === null ? null : WEEKDAYS.indexOf(byDay[2] as string),
    nth: nth === undefined ? null : Number(nth),
    days: days.length > 0 || byDay !== null ? days : [otherwise],
  };
}

/** The day in a month (0 is January); undefined if the month has no such day. It checks at most 31 days. */
export function dayInMonth(
  { weekday, nth, days }: DayOfMonth,
  year: number,
  month: number,
): number | undefined {
  const first = Date.UTC(year, month, 1);
  const length = Math.round((Date.UTC(year, month + 1, 1) - first) / DAY_MS);
  const firstWeekday = new Date(first).getUTCDay();
  const fromEnd = nth !== null && nth < 0;
  let left = Math.abs(nth ?? 1);
  for (let step = 1; step <= length; step++) {
    const day = fromEnd ? length + 1 - step : step;
    if (weekday !== null && (firstWeekday + day - 1) % 7 !== weekday) continue;
    if (days.length > 0 && !days.includes(day) && !days.includes(day - length - 1)) continue;
    left -= 1;
    if (left === 0) return day;
  }
  return undefined;
}
