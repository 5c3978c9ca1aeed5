import type { CheckedLeadRow, LeadUndo, LeadUndoPortion } from '@sluice/dashboard-api/lead-imports';
import type { LeadMatch } from '@sluice/dashboard-api/lead-names';
import { UNDO_LEFT_SHOWN } from '@sluice/dashboard-api/limits';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { leadBatches, withRepetitions } from '@sluice/import/read/batches';
import { guessLeadMapping, type LeadMapping, toLeadRow } from '@sluice/import/read/lead-mapping';
import { useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { randomId } from '../../api/random-id.ts';
import { useImportSteps } from './use-import-steps.ts';

export const LEADS_STALE = [ROUTES.leads.list, ROUTES.leads.lastImport, ROUTES.pipeline.show];
const NO_MAPPING: LeadMapping = { fields: {}, custom: [] };

/** The import of leads. */
export function useLeadImport() {
  const { choose, take, check, start, discardCheck, ...steps } = useImportSteps<CheckedLeadRow>(LEADS_STALE);
  const [mapping, setMapping] = useState(NO_MAPPING);
  const [matchOn, setMatchOn] = useState<readonly LeadMatch[]>(['email']);
  const { columns = [], rows: read = [], fileName = '' } = steps.table ?? {};
  /** Rows with errors in the file itself are not sent to the server. */
  const rows = () =>
    read.filter(({ errors }) => errors === undefined).map((row) => toLeadRow(columns, mapping, row));
  /** They get the verdict that the server would give. */
  const unreadable = () =>
    read.flatMap(({ row, errors }): CheckedLeadRow[] =>
      errors === undefined ? [] : [{ row, verdict: 'bad', errors: [...errors] }],
    );

  return {
    ...steps,
    mapping,
    matchOn,
    async choose(file: File) {
      const number = choose();
      const { readLeadFile } = await import('@sluice/import/read/read-file');
      const read = await readLeadFile(file);
      if (take(read, number) && read.outcome === 'read') setMapping(guessLeadMapping(read.table.columns));
    },
    check: () =>
      check(async (onProgress) => {
        const checked: CheckedLeadRow[] = [];
        for (const batch of leadBatches(rows())) {
          const body = { match_on: [...matchOn], rows: batch };
          checked.push(...(await callApi(ROUTES.leads.checkImport, { body })).rows);
          onProgress(checked.length);
        }
        return [...withRepetitions(checked), ...unreadable()].sort((a, b) => a.row - b.row);
      }),
    start(checked: readonly CheckedLeadRow[]) {
      const wanted = new Set(
        checked.flatMap(({ row, verdict }) => (verdict === 'new' || verdict === 'update' ? [row] : [])),
      );
      const job = { import_id: randomId(), file_name: fileName.slice(0, 200), match_on: [...matchOn] };
      return start(leadBatches(rows().filter(({ row }) => wanted.has(row))), (batch) =>
        callApi(ROUTES.leads.import, { body: { ...job, rows: batch } }),
      );
    },
    remap(next: LeadMapping) {
      setMapping(next);
      discardCheck();
    },
    rematch(next: readonly LeadMatch[]) {
      setMatchOn(next);
      discardCheck();
    },
  };
}

const NO_EFFECT: LeadUndo = { erased: 0, restored: 0, left: 0, left_leads: [], untouched: 0 };

/** Reads all portions of an undo, or runs them, and adds them up, until the signal. `onProgress` receives the sum so far. */
export async function allPortions(
  read: (from: number) => Promise<LeadUndoPortion>,
  signal: AbortSignal,
  onProgress: (sum: LeadUndo) => void = () => {},
): Promise<LeadUndo> {
  let sum = NO_EFFECT;
  for (let from: number | null = 0; from !== null && !signal.aborted; ) {
    const { next, ...portion }: LeadUndoPortion = await read(from);
    sum = {
      erased: sum.erased + portion.erased,
      restored: sum.restored + portion.restored,
      left: sum.left + portion.left,
      left_leads: [...sum.left_leads, ...portion.left_leads].slice(0, UNDO_LEFT_SHOWN),
      untouched: sum.untouched + portion.untouched,
    };
    onProgress(sum);
    from = next;
  }
  return sum;
}
