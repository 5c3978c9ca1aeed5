import type { CheckedRow } from '@sluice/dashboard-api/imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { FileRead, ImportTable } from './import-table.ts';
import { guessMapping, type Mapping, toImportRow } from './mapping.ts';
import { newImportId } from './new-import-id.ts';
import { readCalendarText, readFile } from './read-file.ts';
import {
  batchesOf,
  checkRows,
  type ImportJob,
  type ImportProgress,
  importBatches,
  NOTHING_YET,
} from './send-rows.ts';

/** The stage of an import: choose a file, map columns, check, import. */
export type Stage =
  | { readonly name: 'choose'; readonly why?: string }
  | { readonly name: 'map' }
  | { readonly name: 'checking'; readonly done: number }
  | { readonly name: 'checked'; readonly rows: readonly CheckedRow[] }
  | { readonly name: 'importing' | 'imported'; readonly job: ImportJob; readonly progress: ImportProgress };

export function useImport(sourceId: string) {
  const client = useQueryClient();
  const [stage, setStage] = useState<Stage>({ name: 'choose' });
  const [table, setTable] = useState<ImportTable | null>(null);
  const [mapping, setMapping] = useState<Mapping>({});
  const [error, setError] = useState<unknown>(null);
  const reached = useRef(NOTHING_YET);

  const take = (read: FileRead) => {
    setError(null);
    if (read.outcome === 'refused') {
      setTable(null);
      setStage({ name: 'choose', why: read.why });
      return;
    }
    setTable(read.table);
    setMapping(guessMapping(read.table));
    setStage({ name: 'map' });
  };

  /** Rows with errors in the file itself are not sent to the server. */
  const readable = () => (table?.rows ?? []).filter((row) => (row.calendar?.errors ?? []).length === 0);
  const rows = () => readable().map((row) => toImportRow(mapping, row));

  const check = async () => {
    setError(null);
    setStage({ name: 'checking', done: 0 });
    try {
      const checked = await checkRows(sourceId, rows(), (done) => setStage({ name: 'checking', done }));
      setStage({
        name: 'checked',
        rows: [...checked, ...unreadableRows(table)].sort((a, b) => a.row - b.row),
      });
    } catch (failure) {
      setError(failure);
      setStage({ name: 'map' });
    }
  };

  const go = async (job: ImportJob) => {
    setError(null);
    setStage({ name: 'importing', job, progress: reached.current });
    try {
      await importBatches(job, reached.current, (progress) => {
        reached.current = progress;
        setStage({ name: 'importing', job, progress });
      });
      setStage({ name: 'imported', job, progress: reached.current });
      const stale = [ROUTES.events.list, ROUTES.events.lastImport];
      await Promise.all(stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] })));
    } catch (failure) {
      setError(failure);
    }
  };

  const start = (checked: readonly CheckedRow[]) => {
    const good = new Set(
      checked.flatMap(({ row, verdict }) => (verdict === 'bad' || verdict === 'nothing' ? [] : [row])),
    );
    reached.current = NOTHING_YET;
    const batches = batchesOf(rows().filter(({ row }) => good.has(row)));
    const file_name = (table?.fileName ?? '').slice(0, 200);
    const format = table?.format ?? 'csv';
    return go({ source_id: sourceId, import_id: newImportId(), file_name, format, batches });
  };

  return {
    stage,
    table,
    mapping,
    error,
    take,
    choose: async (file: File) => take(await readFile(file)),
    /** Reads the calendar again, with another zone for times without one. */
    async inZone(zone: string) {
      if (table?.calendar !== undefined)
        take(await readCalendarText(table.fileName, table.calendar.text, zone));
    },
    check,
    start,
    /** Continues from the batch that failed. */
    resume: go,
    /** Discards the check, because it was about another mapping or source. */
    remap(next: Mapping) {
      setMapping(next);
      setStage({ name: 'map' });
    },
    again() {
      setTable(null);
      setError(null);
      setStage({ name: 'choose' });
    },
  };
}

function unreadableRows(table: ImportTable | null): CheckedRow[] {
  return (table?.rows ?? []).flatMap(({ row, calendar }) =>
    calendar === undefined || calendar.errors.length === 0
      ? []
      : [{ row, verdict: 'bad' as const, errors: [...calendar.errors] }],
  );
}
