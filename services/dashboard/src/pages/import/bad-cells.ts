import type { CheckedRow, ImportAccepted } from '@sluice/dashboard-api/imports';
import type { ImportTable } from '@sluice/importing/import-table';
import { FIELDS, type Mapping } from '@sluice/importing/mapping';
import type { BadCell } from '../import-parts/bad-rows.ts';

/** Converts the errors of the check, with the column names of the file. */
export function badCellsOf(checked: readonly CheckedRow[], table: ImportTable, mapping: Mapping): BadCell[] {
  const columnOf = (name: string | null): string => {
    const field = FIELDS.find((one) => one.name === name);
    const column = field === undefined ? undefined : mapping[field.name];
    return (column === undefined ? field?.label : table.columns[column]) ?? '';
  };
  const lineOf = linesOf(table);
  return checked.flatMap((one) =>
    one.verdict === 'bad'
      ? one.errors.map((error) => ({
          row: one.row,
          column: columnOf(error.field),
          why: error.detail,
          ...lineOf(one.row, error),
        }))
      : [],
  );
}

export function refusedCellsOf({ refused }: Pick<ImportAccepted, 'refused'>, table: ImportTable): BadCell[] {
  const lineOf = linesOf(table);
  return refused.map(({ row, detail }) => ({
    row,
    column: '',
    why: detail,
    ...lineOf(row, { field: null }),
  }));
}

/** Finds the line of an error in a calendar. */
function linesOf({ rows }: ImportTable) {
  const byRow = new Map(rows.map(({ row, calendar }) => [row, calendar]));
  return (row: number, error: { field: string | null; line?: number }): { line?: number } => {
    const calendar = byRow.get(row);
    if (calendar === undefined) return {};
    return { line: error.line ?? calendar.lines[error.field ?? ''] ?? calendar.line };
  };
}
