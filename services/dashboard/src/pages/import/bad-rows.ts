import { spreadsheetText } from '@sluice/contract/spreadsheet-text';
import type { CheckedRow, ImportAccepted } from '@sluice/dashboard-api/imports';
import type { ImportTable } from './import-table.ts';
import { FIELDS, type Mapping } from './mapping.ts';

/** One thing that is wrong with a row. */
export interface BadCell {
  readonly row: number;
  /** As the file names it, or the field where it has no such column; '' for the row as a whole. */
  readonly column: string;
  readonly why: string;
  /** Of a calendar, the line that it stands on. */
  readonly line?: number;
}

/** What the check found, in the words of the file. */
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

/** Says where in a calendar an error stands. */
function linesOf({ rows }: ImportTable) {
  const byRow = new Map(rows.map(({ row, calendar }) => [row, calendar]));
  return (row: number, error: { field: string | null; line?: number }): { line?: number } => {
    const calendar = byRow.get(row);
    if (calendar === undefined) return {};
    return { line: error.line ?? calendar.lines[error.field ?? ''] ?? calendar.line };
  };
}

/** Without it spreadsheets take UTF-8 for something else. */
const BOM = '\uFEFF';

/** The bad rows as they stand in the file, each with its number and what is wrong with it. */
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
  // Quotes keep a cell whole where a program separates by semicolons and tabs too.
  const quotes = (cell: unknown) => /[;\t]/.test(String(cell));
  return BOM + papa.unparse({ fields, data: lines }, { newline: '\r\n', quotes });
}

function inWords({ column, why }: BadCell): string {
  return column === '' ? why : `${column}: ${why}`;
}
