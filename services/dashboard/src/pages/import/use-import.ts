import { ROUTES } from '@sluice/dashboard-api/routes';
import { batchesOf } from '@sluice/importing/batches';
import type { FileRead, ImportTable } from '@sluice/importing/import-table';
import { guessMapping, type Mapping } from '@sluice/importing/mapping';
import { planFile, rowsToImport } from '@sluice/importing/plan-file';
import type { PlannedRow } from '@sluice/importing/plan-rows';
import { readCalendarText, readFile } from '@sluice/importing/read-file';
import { countWithoutZone, rowSettings } from '@sluice/importing/read-row';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { newImportId } from './new-import-id.ts';
import {
  type ImportJob,
  type ImportProgress,
  importBatches,
  NOTHING_YET,
  storedEventsOf,
} from './send-rows.ts';

/** The stage of an import: choose a file, map columns, check, import. */
export type Stage =
  | { readonly name: 'choose'; readonly why?: string }
  | { readonly name: 'map' }
  | { readonly name: 'checking'; readonly done: number }
  | { readonly name: 'checked'; readonly rows: readonly PlannedRow[] }
  | { readonly name: 'importing' | 'imported'; readonly job: ImportJob; readonly progress: ImportProgress };

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

  // Computed from all rows, so not on each render.
  const withoutZone = useMemo(
    () => (table === null ? 0 : countWithoutZone(table, rowSettings(table, mapping, zone))),
    [table, mapping, zone],
  );

  const check = async () => {
    if (table === null) return;
    setError(null);
    setStage({ name: 'checking', done: 0 });
    try {
      const onProgress = (done: number) => setStage({ name: 'checking', done });
      const rows = await planFile({ table, mapping, zone }, storedEventsOf(sourceId), onProgress);
      setStage({ name: 'checked', rows });
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

  const start = (planned: readonly PlannedRow[]) => {
    reached.current = NOTHING_YET;
    const batches = batchesOf(rowsToImport(planned));
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
    /** The zone of times that name none, in a CSV file. */
    zone,
    /** Rows of a CSV file with such a time. */
    withoutZone,
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
