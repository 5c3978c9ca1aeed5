import type { ImportRow } from '@sluice/dashboard-api/imports';
import { type CheckRowsDeps, checkRows } from '@sluice/import/apply/check-rows';
import { goneEvents } from '@sluice/import/apply/gone-events';
import { type KnownEventsDeps, knownEvents } from '@sluice/import/apply/known-events';
import { type FileToPlan, planFile, rowsToImport } from '@sluice/import/read/plan-file';
import type { Source } from '@sluice/store/sources/source';
import { tryAgainLater } from '../exit-codes.ts';
import { type ImportLine, leftOutLines, lineOf } from './import-line.ts';

export interface CheckedTable {
  /** In the order of the file. */
  readonly lines: readonly ImportLine[];
  /** The rows to import. */
  readonly good: readonly ImportRow[];
  /** Sentences about the whole file. */
  readonly notes: readonly string[];
  /** The state of the source that the check has seen (dashboard-api: importRows). */
  readonly seen: string | undefined;
}

/** Compares each row with the stored events. Changes nothing. */
export async function checkTable(
  deps: CheckRowsDeps & KnownEventsDeps,
  source: Pick<Source, 'account_id' | 'source_id' | 'external_ids'>,
  file: FileToPlan,
): Promise<CheckedTable> {
  const { calendar } = file.table;
  const simplified = new Set(calendar?.simplified);
  const {
    rows: planned,
    notes: ofPlan,
    seen,
  } = await planFile(file, {
    check: (rows) => checkRows(deps, source, rows),
    find: async (uids) => {
      const found = await knownEvents(deps, source, uids);
      if (found.outcome === 'refused') throw tryAgainLater(found.detail);
      return found;
    },
    findGone: (eventIds) => goneEvents(deps, source, eventIds),
  });
  const lines = planned.map((one) => {
    const notes = simplified.has(one.row.row) ? [...one.notes, SIMPLIFIED] : one.notes;
    return lineOf(source, { ...one, notes });
  });
  return {
    lines: [...lines, ...leftOutLines(file.table)].sort((a, b) => a.row - b.row),
    good: rowsToImport(planned),
    notes: [...(calendar?.notes ?? file.table.notes ?? []), ...ofPlan],
    seen,
  };
}

const SIMPLIFIED =
  'The recurrence is simplified to daily, weekly, monthly or yearly. The rest of the rule is dropped.';
