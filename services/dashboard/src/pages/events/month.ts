/** A month of the viewer's calendar, such as `2026-12`. */
export type Month = string;

export function monthOf(date: Date): Month {
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

/** Reads the month in an address. The default is the current month. */
export function readMonth(text: string | null, now: Date): Month {
  return text !== null && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : monthOf(now);
}

export function addMonths(month: Month, count: number): Month {
  const first = firstOf(month);
  return monthOf(new Date(first.getFullYear(), first.getMonth() + count, 1));
}

export function monthWords(month: Month): string {
  return firstOf(month).toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
}

/** Returns the weeks of a month, Monday first. Days of other months are null. */
export function weeksOf(month: Month): (Date | null)[][] {
  const first = firstOf(month);
  const before = (first.getDay() + 6) % 7;
  const days = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate();
  const weeks = Math.ceil((before + days) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => {
      const day = week * 7 + weekday - before + 1;
      return day < 1 || day > days ? null : new Date(first.getFullYear(), first.getMonth(), day);
    }),
  );
}

/** Returns the span of a month in the viewer's time zone, from its first instant to that of the next month. */
export function spanOf(month: Month): { from: string; to: string } {
  return { from: firstOf(month).toISOString(), to: firstOf(addMonths(month, 1)).toISOString() };
}

function firstOf(month: Month): Date {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(year, number - 1, 1);
}
