import { randomUUID } from 'node:crypto';
import type { CellError } from '@sluice/dashboard-api/imports';
import type { CheckedLeadRow, LeadImportRow } from '@sluice/dashboard-api/lead-imports';
import type { LeadMatch } from '@sluice/dashboard-api/lead-names';
import { leadBatches, withRepetitions } from '@sluice/import/read/batches';
import type { ImportTable } from '@sluice/import/read/import-table';
import { checkLeadRow } from '@sluice/leads/import/check-lead-row';
import { type ImportLeadsDeps, importLeads } from '@sluice/leads/import/import-leads';
import type { Audited } from '../audit.ts';
import { CLI_ACTOR } from './lead-access.ts';

export interface FileOfLeads {
  readonly accountId: string;
  readonly table: ImportTable;
  readonly rows: readonly LeadImportRow[];
  readonly matchOn: readonly LeadMatch[];
}

/** Checks each row, in the order of the file. Changes nothing. */
export async function checkFile(
  { leadDeps }: Pick<ImportLeadsDeps, 'leadDeps'>,
  { accountId, table, rows, matchOn }: FileOfLeads,
): Promise<CheckedLeadRow[]> {
  const settings = await leadDeps.settings.readFresh(accountId);
  const checked: CheckedLeadRow[] = [];
  for (const row of rows) checked.push(await checkLeadRow(leadDeps, { accountId, settings, matchOn, row }));
  const unreadable = table.rows.flatMap(({ row, errors }): CheckedLeadRow[] =>
    errors === undefined ? [] : [{ row, verdict: 'bad', errors: [...errors] as CellError[] }],
  );
  return [...withRepetitions(checked), ...unreadable].sort((a, b) => a.row - b.row);
}

export interface FileImport extends FileOfLeads {
  /** The importing user, as the dashboard shows it. */
  readonly by: string;
  /** Each batch has the audit entry of the whole import. */
  readonly audited: Audited;
  /** Called after each batch with the number of imported rows. */
  readonly onBatch: (done: number) => void;
}

export interface FileImported {
  readonly importId: string;
  /** Rows that could not be imported, with the reason. */
  readonly refused: ReadonlyMap<number, string>;
}

/** Imports those rows that change something. A command that ends half way leaves an import that can be undone. */
export async function importFile(
  deps: ImportLeadsDeps,
  { accountId, table, rows, matchOn, by, audited, onBatch }: FileImport,
  checked: readonly CheckedLeadRow[],
): Promise<FileImported> {
  const wanted = new Set(
    checked.flatMap(({ row, verdict }) => (verdict === 'new' || verdict === 'update' ? [row] : [])),
  );
  const importId = randomUUID();
  const refused = new Map<number, string>();
  let done = 0;
  const file_name = table.fileName.slice(0, 200);
  const whole = { accountId, by, actor: CLI_ACTOR, import_id: importId, match_on: [...matchOn], file_name };
  for (const batch of leadBatches(rows.filter(({ row }) => wanted.has(row)))) {
    const { result } = await audited(accountId, {
      intent: { action: 'leads.imported', target: { id: importId, name: file_name }, ongoing: importId },
      work: () => importLeads(deps, { ...whole, rows: batch }),
      deed: ({ deed }) => deed,
    });
    for (const { row, detail } of result.refused) refused.set(row, detail);
    done += batch.length;
    onBatch(done);
  }
  return { importId, refused };
}
