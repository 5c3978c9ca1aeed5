import { type CalendarRead, readCalendar } from '@sluice/import/calendar/read-calendar';
import { expect } from 'chai';

type Read = CalendarRead & { outcome: 'read' };

/** A calendar that contains these lines. */
export function calendar(...lines: string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

export function vevent(...lines: string[]): string[] {
  return ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'];
}

export function read(text: string, zone?: string): Read {
  const result = readCalendar(text, zone === undefined ? {} : { zone });
  if (result.outcome === 'refused') throw new Error(result.detail);
  return result;
}

/** The only row of a calendar with one event. */
export function only(...lines: string[]) {
  const { rows } = read(calendar(...vevent(...lines)));
  expect(rows).to.have.length(1);
  return rows[0] as Read['rows'][number];
}

export function startOf(property: string, ...others: string[]): string | undefined {
  const { rows } = read(calendar(...others, ...vevent('SUMMARY:x', property)));
  return rows[0]?.event.starts_at;
}
