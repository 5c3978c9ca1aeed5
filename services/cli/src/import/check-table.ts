import type { CheckedRow, ImportRow } from '@sluice/dashboard-api/imports';
import { batchesOf } from '@sluice/importing/batches';
import type { ImportTable } from '@sluice/importing/import-table';
import type { Mapping } from '@sluice/importing/mapping';
import { readRow, rowSettings } from '@sluice/importing/read-row';
import { withRepetitions } from '@sluice/importing/with-repetitions';
import { type CheckRowsDeps, checkRows } from '@sluice/imports/check-rows';
import { badLine, type ImportLine, leftOutLines, lineOf } from './import-line.ts';

export interface TableToCheck {
  readonly table: ImportTable;
  readonly mapping: Mapping;
  /** The zone of times in a CSV file that name none. */
  readonly zone: string;
}

export interface CheckedTable {
  /** In the order of the file. */
  readonly lines: readonly ImportLine[];
  /** The rows to import. */
  readonly good: readonly ImportRow[];
  /** Sentences about the whole file. */
  readonly notes: readonly string[];
}

/** Compares each row with the stored events. Changes nothing. */
export async function checkTable(
  deps: CheckRowsDeps,
  sourceId: string,
  { table, mapping, zone }: TableToCheck,
): Promise<CheckedTable> {
  const settings = rowSettings(table, mapping, zone);
  const simplified = new Set(table.calendar?.simplified);
  const read = table.rows.map((one) => ({ ...readRow(one, settings), errors: one.errors }));
  const sent = read.filter(({ errors }) => errors === undefined).map(({ row }) => row);
  const checked: CheckedRow[] = [];
  for (const batch of batchesOf(sent)) checked.push(...(await checkRows(deps, sourceId, batch)));
  const verdicts = new Map(withRepetitions(checked).map((one) => [one.row, one]));
  const lines = read.map(({ row, notes: own, errors }): ImportLine => {
    const notes = simplified.has(row.row) ? [...own, SIMPLIFIED] : own;
    const verdict = verdicts.get(row.row);
    return errors !== undefined || verdict === undefined
      ? badLine(row.row, errors ?? [], notes)
      : lineOf(sourceId, { checked: verdict, sent: row, notes });
  });
  const isGood = ({ row }: ImportRow) => !['bad', 'nothing'].includes(verdicts.get(row)?.verdict ?? 'bad');
  return {
    lines: [...lines, ...leftOutLines(table)].sort((a, b) => a.row - b.row),
    good: sent.filter(isGood),
    notes: table.calendar?.notes ?? [],
  };
}

const SIMPLIFIED =
  'The recurrence is simplified to daily, weekly, monthly or yearly. The rest of the rule is dropped.';
