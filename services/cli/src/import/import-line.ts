import { showFields } from '@sluice/contract/event/event-record';
import type { CellError, CheckedRow, ImportRow } from '@sluice/dashboard-api/imports';
import { type RowSource, readRow } from '@sluice/import/apply/action-of-row';
import type { ImportTable, TableRow } from '@sluice/import/read/import-table';

export const VERDICTS = ['new', 'update', 'unchanged', 'cancel', 'bad', 'left_out'] as const;
type Verdict = (typeof VERDICTS)[number];

/** The result of one row of the file, or in a dry run what it would be. */
export interface ImportLine {
  readonly row: number;
  /** The row of the import. Absent if the file has a day that is left out. */
  readonly sent?: ImportRow;
  readonly verdict: Verdict;
  /** The event with its stored values; null if the row is bad or left out. */
  readonly event: Readonly<Record<string, string>> | null;
  readonly notes: readonly string[];
  readonly errors: readonly { readonly field?: string; readonly detail: string }[];
}

export interface LineParts {
  readonly checked: CheckedRow;
  readonly row: ImportRow;
  readonly notes: readonly string[];
}

/** The line of a row that was checked. */
export function lineOf(source: RowSource, { checked, row: sent, notes }: LineParts): ImportLine {
  const { row } = checked;
  if (checked.verdict === 'bad') return badLine(row, checked.errors, notes);
  if (checked.verdict === 'nothing')
    return leftOutLine(row, [
      ...notes,
      'The event is cancelled in the file and not stored here. Nothing to cancel.',
    ]);
  return {
    row,
    sent,
    verdict: checked.verdict,
    event: storedEvent(source, sent),
    notes,
    errors: [],
  };
}

function badLine(row: number, errors: readonly CellError[], notes: readonly string[]): ImportLine {
  const shown = errors.map(({ field, detail }) => ({ ...(field !== null && { field }), detail }));
  return { row, verdict: 'bad', event: null, notes, errors: shown };
}

/** The lines of single days that events can't have, and of older versions, which have their own note. */
export function leftOutLines({ calendar }: ImportTable): ImportLine[] {
  return (calendar?.leftOut ?? []).map(({ row, calendar: event }: TableRow) =>
    leftOutLine(row, [
      ...(event?.notes ?? []),
      ...(event?.recurrenceId === ''
        ? []
        : ['A single day of a recurring event is left out. Events here have no exceptions.']),
    ]),
  );
}

function leftOutLine(row: number, notes: readonly string[]): ImportLine {
  return { row, verdict: 'left_out', event: null, notes, errors: [] };
}

function storedEvent(source: RowSource, sent: ImportRow): ImportLine['event'] {
  const read = readRow(source, sent);
  if (read.outcome === 'bad') return null;
  const { action } = read;
  const own = { ...action.identity, external_id: action.external_id };
  const values =
    action.kind === 'upsert'
      ? { ...own, ...action.content, status: action.status }
      : { ...own, status: 'cancelled' as const };
  const shown = Object.entries(showFields(values)).filter(([, value]) => value !== null);
  return Object.fromEntries(shown) as Record<string, string>;
}
