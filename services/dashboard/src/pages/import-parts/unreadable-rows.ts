import type { ImportTable, RowError } from '@sluice/import/read/import-table';

/** The rows with errors in the file itself, with the verdict that the server would give. */
export function unreadableRows(
  table: ImportTable | null,
): { row: number; verdict: 'bad'; errors: RowError[] }[] {
  return (table?.rows ?? []).flatMap(({ row, errors }) =>
    errors === undefined ? [] : [{ row, verdict: 'bad', errors: [...errors] }],
  );
}
