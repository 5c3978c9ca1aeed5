import type { CheckedLeadRow } from '@sluice/dashboard-api/lead-imports';
import type { LeadMatch } from '@sluice/dashboard-api/lead-names';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { ImportTable } from '@sluice/importing/import-table';
import { leadBatches } from '@sluice/importing/lead-batches';
import { guessLeadMapping, type LeadMapping, toLeadRow } from '@sluice/importing/lead-mapping';
import { readLeadFile } from '@sluice/importing/read-lead-file';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { newImportId } from '../import/new-import-id.ts';
import { unreadableRows } from '../import/unreadable-rows.ts';
import {
  checkLeadRows,
  importLeadBatches,
  type LeadImportJob,
  type LeadImportProgress,
  NO_LEADS_YET,
} from './send-lead-rows.ts';

/** The stage of an import: choose a file, map columns, check, import. */
export type LeadImportStage =
  | { readonly name: 'choose'; readonly why?: string }
  | { readonly name: 'map' }
  | { readonly name: 'checking'; readonly done: number }
  | { readonly name: 'checked'; readonly rows: readonly CheckedLeadRow[] }
  | {
      readonly name: 'importing' | 'imported';
      readonly job: LeadImportJob;
      readonly progress: LeadImportProgress;
    };

const NO_MAPPING: LeadMapping = { fields: {}, custom: [] };

export function useLeadImport() {
  const client = useQueryClient();
  const [stage, setStage] = useState<LeadImportStage>({ name: 'choose' });
  const [table, setTable] = useState<ImportTable | null>(null);
  const [mapping, setMapping] = useState(NO_MAPPING);
  const [matchOn, setMatchOn] = useState<readonly LeadMatch[]>(['email']);
  const [error, setError] = useState<unknown>(null);
  const reached = useRef(NO_LEADS_YET);
  /** Rows with errors in the file itself are not sent to the server. */
  const rows = () =>
    (table?.rows ?? [])
      .filter(({ errors }) => errors === undefined)
      .map((row) => toLeadRow(table?.columns ?? [], mapping, row));

  const choose = async (file: File) => {
    setError(null);
    const read = await readLeadFile(file);
    if (read.outcome === 'refused') {
      setTable(null);
      setStage({ name: 'choose', why: read.why });
      return;
    }
    setTable(read.table);
    setMapping(guessLeadMapping(read.table.columns));
    setStage({ name: 'map' });
  };

  const check = async () => {
    setError(null);
    setStage({ name: 'checking', done: 0 });
    try {
      const onProgress = (done: number) => setStage({ name: 'checking', done });
      const checked = await checkLeadRows([...matchOn], rows(), onProgress);
      const unreadable = unreadableRows(table);
      setStage({ name: 'checked', rows: [...checked, ...unreadable].sort((a, b) => a.row - b.row) });
    } catch (failure) {
      setError(failure);
      setStage({ name: 'map' });
    }
  };

  const go = async (job: LeadImportJob) => {
    setError(null);
    setStage({ name: 'importing', job, progress: reached.current });
    try {
      await importLeadBatches(job, reached.current, (progress) => {
        reached.current = progress;
        setStage({ name: 'importing', job, progress });
      });
      setStage({ name: 'imported', job, progress: reached.current });
      const stale = [ROUTES.leads.list, ROUTES.leads.lastImport, ROUTES.pipeline.show];
      await Promise.all(stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] })));
    } catch (failure) {
      setError(failure);
    }
  };

  const start = (checked: readonly CheckedLeadRow[]) => {
    const wanted = new Set(
      checked.flatMap(({ row, verdict }) => (verdict === 'new' || verdict === 'update' ? [row] : [])),
    );
    reached.current = NO_LEADS_YET;
    const batches = leadBatches(rows().filter(({ row }) => wanted.has(row)));
    const file_name = (table?.fileName ?? '').slice(0, 200);
    return go({ import_id: newImportId(), file_name, match_on: [...matchOn], batches });
  };

  return {
    ...{ stage, table, mapping, matchOn, error, choose, check, start },
    /** Continues from the batch that failed. */
    resume: go,
    /** Discards the check, because it was about another mapping. */
    remap(next: LeadMapping) {
      setMapping(next);
      setStage({ name: 'map' });
    },
    rematch(next: readonly LeadMatch[]) {
      setMatchOn(next);
      setStage({ name: 'map' });
    },
    again() {
      setTable(null);
      setError(null);
      setStage({ name: 'choose' });
    },
  };
}
