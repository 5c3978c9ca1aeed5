import type { CheckedRow, GoneEvents, ImportRow, KnownEvent, UidsFound } from '@sluice/dashboard-api/imports';
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
  /** The events of the last import of a calendar that are not among these. */
  readonly findGone: (eventIds: string[]) => Promise<GoneEvents>;
}

export interface FilePlan {
  /** In the order of the file. */
  readonly rows: readonly PlannedRow[];
  /** Sentences about the whole file. */
  readonly notes: readonly string[];
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
  { check, find, findGone }: StoredEvents,
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
  return { rows, notes: await goneNotes(table, { checked, known }, findGone), seen };
}

/** A calendar that may be cut off lacks events that are not gone. */
async function goneNotes(
  { calendar }: ImportTable,
  { checked, known }: { readonly checked: readonly CheckedRow[]; readonly known: readonly KnownEvent[] },
  findGone: StoredEvents['findGone'],
): Promise<string[]> {
  if (calendar === undefined || calendar.cutOff) return [];
  const ofRows = checked.flatMap((one) => (one.verdict === 'bad' ? [] : [one.event_id]));
  const { count, events } = await findGone([
    ...new Set([...ofRows, ...known.map(({ event_id }) => event_id)]),
  ]);
  if (count === 0) return [];
  const named = events.map(({ title, starts_at }) => `"${title}" at ${starts_at}`).join(', ');
  const [subject, stay] = count === 1 ? ['event', 'It stays'] : ['events', 'They stay'];
  const more = count > events.length ? ', …' : '';
  return [
    `${count.toLocaleString('en')} upcoming ${subject} of the last import ${count === 1 ? 'is' : 'are'} not in the calendar any more: ${named}${more}. ${stay} upcoming. Cancel what does not take place.`,
  ];
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
