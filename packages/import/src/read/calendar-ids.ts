import type { ImportRow } from '@sluice/dashboard-api/imports';
import type { EventOfCalendar, ImportTable, TableRow } from './import-table.ts';

export type CalendarId = NonNullable<ImportRow['calendar_id']>;

/** The entries of a calendar differ by UID and, in a series, by day. */
export function keyOf({ uid, recurrence_id }: CalendarId): string {
  return JSON.stringify([uid, recurrence_id]);
}

/** The ids of a calendar's rows. Ids that occur more than once are omitted, because they tell nothing apart. */
export function calendarIds(table: ImportTable): ReadonlyMap<number, CalendarId> {
  const all = allRows(table).flatMap(({ row, calendar }) => {
    const id = calendar === undefined ? undefined : idOf(calendar);
    return id === undefined ? [] : [{ row, id }];
  });
  const counts = new Map<string, number>();
  for (const { id } of all) counts.set(keyOf(id), (counts.get(keyOf(id)) ?? 0) + 1);
  return new Map(all.flatMap(({ row, id }) => (counts.get(keyOf(id)) === 1 ? [[row, id]] : [])));
}

/** The days of each series that the file has, also those that are bad or left out. */
export function daysByUid(table: ImportTable): ReadonlyMap<string, ReadonlySet<string>> {
  const days = new Map<string, Set<string>>();
  for (const { calendar } of allRows(table)) {
    const id = calendar === undefined ? undefined : idOf(calendar);
    if (id !== undefined) days.set(id.uid, (days.get(id.uid) ?? new Set()).add(id.recurrence_id));
  }
  return days;
}

function allRows({ rows, calendar }: ImportTable): readonly TableRow[] {
  return [...rows, ...(calendar?.leftOut ?? [])];
}

function idOf({ uid, recurrenceId }: EventOfCalendar): CalendarId | undefined {
  return uid === undefined ? undefined : { uid, recurrence_id: recurrenceId };
}
