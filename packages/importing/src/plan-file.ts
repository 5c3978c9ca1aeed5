import type { CheckedRow, ImportRow, KnownEvent } from '@sluice/dashboard-api/imports';
import { KNOWN_UIDS } from '@sluice/dashboard-api/limits';
import { batchesOf } from './batches.ts';
import { calendarIds, daysByUid } from './calendar-ids.ts';
import type { ImportTable } from './import-table.ts';
import type { Mapping } from './mapping.ts';
import { type PlannedRow, planRows } from './plan-rows.ts';
import { rowSettings } from './row-settings.ts';

export interface FileToPlan {
  readonly table: ImportTable;
  readonly mapping: Mapping;
  /** The zone of times in a CSV file that name none. */
  readonly zone: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The questions that a plan asks about the stored events. */
export interface StoredEvents {
  /** Returns what each row of a batch would do. */
  readonly check: (rows: ImportRow[]) => Promise<readonly CheckedRow[]>;
  /** The events that earlier imports made of these UIDs, at most KNOWN_UIDS at once. */
  readonly find: (uids: string[]) => Promise<readonly KnownEvent[]>;
}

/**
 * Plans an import: what each row of the file would do, in the order of the file. Rows with errors in the file itself are bad.
 * `onProgress` receives the number of checked rows.
 */
export async function planFile(
  { table, mapping, zone, now }: FileToPlan,
  { check, find }: StoredEvents,
  onProgress: (done: number) => void = () => {},
): Promise<PlannedRow[]> {
  // Later, because rows need the recurrence rules of calendars, and the page of the import does not.
  const { readRow } = await import('./read-row.ts');
  const settings = rowSettings(table, mapping, zone);
  const ids = calendarIds(table);
  const read = table.rows.map((one) => {
    const { row, notes } = readRow(one, settings);
    const id = ids.get(one.row);
    const withId: ImportRow = { ...row, ...(id !== undefined && { calendar_id: id }) };
    return { row: withId, notes, errors: one.errors };
  });
  const sent = read.filter(({ errors }) => errors === undefined).map(({ row }) => row);
  const checked: CheckedRow[] = [];
  for (const batch of batchesOf(sent)) {
    checked.push(...(await check(batch)));
    onProgress(checked.length);
  }
  const known: KnownEvent[] = [];
  const uids = [...daysByUid(table).keys()];
  for (let at = 0; at < uids.length; at += KNOWN_UIDS)
    known.push(...(await find(uids.slice(at, at + KNOWN_UIDS))));
  const notesOf = new Map(read.map(({ row, notes }) => [row.row, notes]));
  const planned = planRows(table, sent, { checked, known, now }).map((one) => ({
    ...one,
    // The events that a row leaves behind have their own note.
    notes: one.notes.length > 0 ? one.notes : (notesOf.get(one.row.row) ?? []),
  }));
  const unreadable = read.flatMap(({ row, notes, errors }): PlannedRow[] =>
    errors === undefined
      ? []
      : [{ row, notes, checked: { row: row.row, verdict: 'bad', errors: [...errors] } }],
  );
  return [...planned, ...unreadable].sort((a, b) => a.row.row - b.row.row);
}

/** The rows that the import sends: all but the bad ones and those that have no effect. */
export function rowsToImport(planned: readonly PlannedRow[]): ImportRow[] {
  return planned.flatMap(({ row, checked }) =>
    checked.verdict === 'bad' || checked.verdict === 'nothing' ? [] : [row],
  );
}
