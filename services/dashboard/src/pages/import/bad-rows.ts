import { spreadsheetText } from '@sluice/contract/text/spreadsheet-text';
import type { ImportTable, RowError } from '@sluice/import/read/import-table';

/** One error in a row. */
export interface BadCell {
  readonly row: number;
  /** The column name in the file, or the field label if the file has no such column. Empty for the row as a whole. */
  readonly column: string;
  readonly why: string;
  /** The line number in a calendar. */
  readonly line?: number;
}

/** Without a byte order mark, spreadsheets read UTF-8 as another encoding. */
export const BOM = '\uFEFF';

/** Returns the bad rows as CSV, with their original cells, row number and errors. */
export async function badRowsCsv(table: ImportTable, bad: readonly BadCell[]): Promise<string> {
  const { default: papa } = await import('papaparse');
  const byRow = new Map<number, BadCell[]>();
  for (const one of bad) byRow.set(one.row, [...(byRow.get(one.row) ?? []), one]);
  const lines = table.rows.flatMap(({ row, cells }) => {
    const errors = byRow.get(row);
    if (errors === undefined) return [];
    const padded = table.columns.map((_, index) => cells[index] ?? '');
    return [[...padded, String(row), errors.map(inWords).join(' ')].map(spreadsheetText)];
  });
  const fields = [...table.columns.map(spreadsheetText), 'row', 'what is wrong'];
  // Quotes keep a cell whole in programs that also split at semicolons and tabs.
  const quotes = (cell: unknown) => /[;\t]/.test(String(cell));
  return BOM + papa.unparse({ fields, data: lines }, { newline: '\r\n', quotes });
}

function inWords({ column, why }: BadCell): string {
  return column === '' ? why : `${column}: ${why}`;
}

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
      row,
      column: columnOf(error.field),
      why: error.detail,
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
