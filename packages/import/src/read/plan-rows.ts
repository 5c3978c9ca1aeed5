import type { CheckedRow, ImportRow, KnownEvent } from '@sluice/dashboard-api/imports';
import { type CalendarId, calendarIds, daysByUid, keyOf } from './calendar-ids.ts';
import type { ImportTable } from './import-table.ts';

/** A row to import, with what it would do. */
export interface PlannedRow {
  readonly row: ImportRow;
  readonly checked: CheckedRow;
  /** Sentences that the plan adds to those of the row. */
  readonly notes: readonly string[];
}

/** The state of the stored events. */
export interface Stored {
  /** In the order of the rows. */
  readonly checked: readonly CheckedRow[];
  readonly known: readonly KnownEvent[];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Adds what earlier imports know about the UIDs of a calendar. A cancel finds its event, whatever its title, start and location are now.
 * An event that changed its identity, and a changed day that its series no longer has, leave no other event behind. The cancel of
 * an event that moved comes before its new row: an import that dies in between is repaired by the next one.
 */
export function planRows(
  table: ImportTable,
  rows: readonly ImportRow[],
  { checked, known, now }: Stored,
): PlannedRow[] {
  const byKey = new Map(known.map((one) => [keyOf(one), one]));
  const saysCancelled = new Set(
    table.rows.flatMap(({ row, calendar }) => (calendar?.saysCancelled ? [row] : [])),
  );
  const cancels = (row: ImportRow) => {
    const isKnown = row.calendar_id !== undefined && byKey.has(keyOf(row.calendar_id));
    return row.action === 'cancel' || (isKnown && saysCancelled.has(row.row));
  };
  const kept = keptEvents(rows, checked, cancels);
  const isOver = ({ cancelled, event_id }: KnownEvent) => !cancelled && !kept.has(event_id);
  // Many feeds list the days of the last weeks only. A past day that is missing has taken place.
  const isGone = (event: KnownEvent) =>
    isOver(event) && table.calendar?.cutOff !== true && Date.parse(event.starts_at) >= now;
  const days = daysByUid(table);

  const planOne = (row: ImportRow, one: CheckedRow): PlannedRow[] => {
    const plain: PlannedRow = { row, checked: one, notes: [] };
    const { calendar_id: id } = row;
    if (id === undefined || (one.verdict === 'bad' && row.action !== 'cancel')) return [plain];
    const before = byKey.get(keyOf(id));
    const missing = id.recurrence_id === '' ? goneDays(known, id, days.get(id.uid)).filter(isGone) : [];
    const withDays = (note: (event: KnownEvent) => string) =>
      missing.map((event) => cancelOf(event, withoutId(row), [note(event)]));
    if (before !== undefined && cancels(row)) {
      // Another entry of the file is this event, so the entry that is cancelled leaves nothing to cancel.
      const own = kept.has(before.event_id) ? [] : [cancelOf(before, row, [])];
      return [...own, ...withDays(cancelledToo)];
    }
    if (row.action === 'cancel' || one.verdict === 'bad') return [plain, ...withDays(cancelledToo)];
    const moved = before !== undefined && before.event_id !== one.event_id && isOver(before) ? [before] : [];
    return [
      ...moved.map((event) => cancelOf(event, withoutId(row), [replaced(event)])),
      plain,
      ...withDays(gone),
    ];
  };

  const planned = rows.flatMap((row, index) => planOne(row, checked[index] as CheckedRow));
  const all = [...planned, ...leftOutDays(table, byKey, isOver)];
  const corrected = withRepetitions(all.map((one) => one.checked));
  const again = namedRepetitions(all);
  return all.map((one, index) => ({
    ...one,
    checked: corrected[index] as CheckedRow,
    notes: [...one.notes, ...(again[index] ?? [])],
  }));
}

/** Sentences about each row whose event an earlier row of the file has too: one of them is lost. */
function namedRepetitions(planned: readonly PlannedRow[]): string[][] {
  const first = new Map<string, number>();
  return planned.map(({ row, checked }) => {
    if (row.action === 'cancel' || checked.verdict === 'bad') return [];
    const before = first.get(checked.event_id);
    if (before === undefined) first.set(checked.event_id, row.row);
    return before === undefined ? [] : [repeated(before)];
  });
}

function repeated(before: number): string {
  return `This is the event of row ${before} again, with the same title, start and location or the same external_id. It replaces what row ${before} says.`;
}

/** The events that the file has. Two UIDs may have exchanged their times, so these are not cancelled. */
function keptEvents(
  rows: readonly ImportRow[],
  checked: readonly CheckedRow[],
  cancels: (row: ImportRow) => boolean,
): ReadonlySet<string> {
  return new Set(
    checked.flatMap((one, index) =>
      one.verdict === 'bad' || cancels(rows[index] as ImportRow) ? [] : [one.event_id],
    ),
  );
}

/** A day that has become like its series again is left out. The event of its change is over. */
function leftOutDays(
  table: ImportTable,
  byKey: ReadonlyMap<string, KnownEvent>,
  isOver: (event: KnownEvent) => boolean,
): PlannedRow[] {
  const ids = calendarIds(table);
  return (table.calendar?.leftOut ?? []).flatMap(({ row }) => {
    const id = ids.get(row);
    const event = id === undefined ? undefined : byKey.get(keyOf(id));
    return event !== undefined && isOver(event) ? [cancelOf(event, { row, event: {} }, [gone(event)])] : [];
  });
}

function goneDays(
  known: readonly KnownEvent[],
  { uid }: CalendarId,
  days: ReadonlySet<string> | undefined,
): KnownEvent[] {
  return known.filter(
    (one) => one.uid === uid && one.recurrence_id !== '' && days?.has(one.recurrence_id) !== true,
  );
}

function withoutId({ calendar_id: _, ...row }: ImportRow): ImportRow {
  return row;
}

function cancelOf(
  { title, starts_at, location, event_id, cancelled }: KnownEvent,
  { row, calendar_id }: ImportRow,
  notes: readonly string[],
): PlannedRow {
  const event = { title, starts_at, ...(location !== '' && { location }) };
  return {
    row: { row, action: 'cancel', event, ...(calendar_id !== undefined && { calendar_id }) },
    checked: { row, verdict: cancelled ? 'unchanged' : 'cancel', event_id },
    notes,
  };
}

function replaced({ title, starts_at }: KnownEvent): string {
  return `This event was imported before as "${title}" at ${starts_at}, which is cancelled now.`;
}

function cancelledToo({ title, starts_at }: KnownEvent): string {
  return `The series is cancelled, and with it the changed day "${title}" at ${starts_at}.`;
}

function gone({ title, starts_at }: KnownEvent): string {
  return `The series no longer has the changed day "${title}" at ${starts_at}, which is cancelled now.`;
}

/** Corrects the verdicts of rows about an event that an earlier row of the same file creates or changes. */
function withRepetitions(rows: readonly CheckedRow[]): CheckedRow[] {
  const touched = new Set<string>();
  return rows.map((row) => {
    if (row.verdict === 'bad') return row;
    const isAgain = touched.has(row.event_id);
    if (row.verdict !== 'nothing' && row.verdict !== 'unchanged') touched.add(row.event_id);
    if (!isAgain) return row;
    switch (row.verdict) {
      case 'new':
      case 'unchanged':
        return { ...row, verdict: 'update' };
      case 'nothing':
        return { ...row, verdict: 'cancel' };
      default:
        return row;
    }
  });
}
