import type { CheckedRow } from '@sluice/dashboard-api/imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { batchesOf } from '@sluice/importing/batches';
import type { FileRead, ImportTable } from '@sluice/importing/import-table';
import { guessMapping, type Mapping } from '@sluice/importing/mapping';
import { readCalendarText, readFile } from '@sluice/importing/read-file';
import { countWithoutZone, readRow, rowSettings } from '@sluice/importing/read-row';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { newImportId } from './new-import-id.ts';
import { checkRows, type ImportJob, type ImportProgress, importBatches, NOTHING_YET } from './send-rows.ts';
import { unreadableRows } from './unreadable-rows.ts';

/** The stage of an import: choose a file, map columns, check, import. */
export type Stage =
  | { readonly name: 'choose'; readonly why?: string }
  | { readonly name: 'map' }
  | { readonly name: 'checking'; readonly done: number }
  | { readonly name: 'checked'; readonly rows: readonly CheckedRow[]; readonly notes: readonly RowNote[] }
  | { readonly name: 'importing' | 'imported'; readonly job: ImportJob; readonly progress: ImportProgress };

/** A value that was read differently from how the file has it. */
export interface RowNote {
  readonly row: number;
  readonly text: string;
}

export function useImport(sourceId: string) {
  const client = useQueryClient();
  const [stage, setStage] = useState<Stage>({ name: 'choose' });
  const [table, setTable] = useState<ImportTable | null>(null);
  const [mapping, setMapping] = useState<Mapping>({});
  const [zone, setZone] = useState('UTC');
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
  const readable = () => (table?.rows ?? []).filter(({ errors }) => errors === undefined);
  const settings = table === null ? null : rowSettings(table, mapping, zone);
  const read = () => (settings === null ? [] : readable().map((row) => readRow(row, settings)));
  const rows = () => read().map(({ row }) => row);

  const check = async () => {
    setError(null);
    setStage({ name: 'checking', done: 0 });
    try {
      const checked = await checkRows(sourceId, rows(), (done) => setStage({ name: 'checking', done }));
      setStage({
        name: 'checked',
        rows: [...checked, ...unreadableRows(table)].sort((a, b) => a.row - b.row),
        notes: read().flatMap(({ row: { row }, notes }) => notes.map((text) => ({ row, text }))),
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
    /** The first rows with a readable start. */
    first: () =>
      rows()
        .filter(({ event }) => !Number.isNaN(Date.parse(event.starts_at ?? '')))
        .slice(0, 3)
        .map(({ row, event: { title = '', starts_at = '' } }) => ({ row, title, starts_at })),
    /** The zone of times that name none, in a CSV file. */
    zone,
    /** Rows of a CSV file with such a time. */
    withoutZone: table === null || settings === null ? 0 : countWithoutZone(table, settings),
    choose: async (file: File) => take(await readFile(await named(file))),
    /** Reads the file again, with another zone for times without one. */
    async inZone(next: string) {
      setZone(next);
      if (table?.calendar === undefined) setStage({ name: 'map' });
      else take(await readCalendarText(table.fileName, table.calendar.text, next));
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

async function named(file: File) {
  return { name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) };
}
