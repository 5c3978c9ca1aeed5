import type { CheckedRow, ImportRow, KnownEvent, UidsFound } from '@sluice/dashboard-api/imports';
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
  readonly find: (uids: string[]) => Promise<UidsFound>;
}

export interface FilePlan {
  /** In the order of the file. */
  readonly rows: readonly PlannedRow[];
  /** Sent with the rows (dashboard-api: importRows). Undefined if the file has no UIDs. */
  readonly seen: string | undefined;
}

/**
 * Plans an import: what each row of the file would do. Rows with errors in the file itself are bad. The UIDs come first, so that an
 * import that runs meanwhile makes `seen` stale.
 * `onProgress` receives the number of checked rows.
 */
export async function planFile(
  { table, mapping, zone, now }: FileToPlan,
  { check, find }: StoredEvents,
  onProgress: (done: number) => void = () => {},
): Promise<FilePlan> {
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
  const { known, seen } = await knownOf(table, find);
  const checked: CheckedRow[] = [];
  for (const batch of batchesOf(sent)) {
    checked.push(...(await check(batch)));
    onProgress(checked.length);
  }
  const notesOf = new Map(read.map(({ row, notes }) => [row.row, notes]));
  const planned = planRows(table, sent, { checked, known, now }).map((one) => ({
    ...one,
    // The events that a row leaves behind have their own note.
    notes:
      one.row.action === 'cancel' && one.notes.length > 0
        ? one.notes
        : [...(notesOf.get(one.row.row) ?? []), ...one.notes],
  }));
  const unreadable = read.flatMap(({ row, notes, errors }): PlannedRow[] =>
    errors === undefined
      ? []
      : [{ row, notes, checked: { row: row.row, verdict: 'bad', errors: [...errors] } }],
  );
  const rows = [...planned, ...unreadable].sort((a, b) => a.row.row - b.row.row);
  return { rows, seen };
}

/** The stored events of the UIDs of a calendar. `seen` is that of the first lookup: what changes after it is not known to all. */
async function knownOf(
  table: ImportTable,
  find: StoredEvents['find'],
): Promise<{ readonly known: readonly KnownEvent[]; readonly seen: string | undefined }> {
  const known: KnownEvent[] = [];
  let seen: string | undefined;
  const uids = [...daysByUid(table).keys()];
  while (uids.length > 0) {
    const found = await find(uids.splice(0, KNOWN_UIDS));
    for (const one of found.known) known.push(one);
    uids.unshift(...found.unread);
    seen ??= found.seen;
  }
  return { known, seen };
}

/** The rows that the import sends: all but the bad ones and those that have no effect. */
export function rowsToImport(planned: readonly PlannedRow[]): ImportRow[] {
  return planned.flatMap(({ row, checked }) =>
    checked.verdict === 'bad' || checked.verdict === 'nothing' ? [] : [row],
  );
}
