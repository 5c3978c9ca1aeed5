import type { ImportTable, RowError } from '@sluice/import/read/import-table';
import type { BadCell } from './bad-rows.ts';

interface Columns<Field extends string> {
  readonly fields: readonly { readonly name: Field; readonly label: string }[];
  /** The column index of each field. */
  readonly mapping: Readonly<Partial<Record<Field, number>>>;
}

interface CheckedRow {
  readonly row: number;
  /** Only of a bad row. */
  readonly errors?: readonly RowError[];
}

/** Converts the errors of the check, with the column names of the file. */
export function badCellsOf<Field extends string>(
  checked: readonly CheckedRow[],
  table: ImportTable,
  { fields, mapping }: Columns<Field>,
): BadCell[] {
  const columnOf = (name: string | null): string => {
    const field = fields.find((one) => one.name === name);
    const column = field === undefined ? undefined : mapping[field.name];
    return (column === undefined ? (field?.label ?? name) : table.columns[column]) ?? '';
  };
  const lineOf = linesOf(table);
  return checked.flatMap(({ row, errors = [] }) =>
    errors.map((error) => ({
      ...{ row, column: columnOf(error.field), why: error.detail },
      ...lineOf(row, error),
    })),
  );
}

/** Converts the rows that the server rejected during the import. */
export function refusedCellsOf(
  refused: readonly { readonly row: number; readonly detail: string }[],
  table: ImportTable,
): BadCell[] {
  const lineOf = linesOf(table);
  return refused.map(({ row, detail }) => ({
    ...{ row, column: '', why: detail },
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
