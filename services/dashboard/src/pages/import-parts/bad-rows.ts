import { spreadsheetText } from '@sluice/contract/spreadsheet-text';
import type { ImportTable } from '@sluice/import/read/import-table';

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
