import { fromSpreadsheetText } from '@sluice/contract/spreadsheet-text';
import { markedEncoding } from '../calendar/byte-order-mark.ts';
import { type FileRead, refused, type TableRow } from './import-table.ts';
import { isHead } from './mapping.ts';
import { type SplitRow, splitRows } from './split-rows.ts';

/**
 * Reads a CSV file whose first row contains the column names; a title above it, and `sep=;`, are passed over. Removes
 * apostrophes that an export put before formulas.
 */
export async function readCsv(fileName: string, bytes: Uint8Array): Promise<FileRead> {
  const text = decode(bytes);
  if (text === undefined)
    return refused('The file is not UTF-8. Save it as “CSV UTF-8”, then choose it again.');
  const { default: papa } = await import('papaparse');
  const rows = splitRows((one, settings) => papa.parse<string[]>(one, settings), text).map((one) => ({
    ...one,
    cells: one.cells.map(fromSpreadsheetText),
  }));
  const head = headOf(rows);
  const columns = rows[head]?.cells ?? [];
  if (rows[head]?.broken === true)
    return refused(
      'The column names have a quote that is not closed, or not doubled. Fix it, then choose the file again.',
    );
  const read = rows
    .map((one, index) => toRow(one, index + 1, columns.length))
    .slice(head + 1)
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (read.length === 0) return refused('The file has no rows below the column names.');
  return { outcome: 'read', table: { fileName, format: 'csv', columns, rows: read } };
}

/** A title, an address or a date may stand above the column names. */
const MAX_TITLE_ROWS = 10;

function headOf(rows: readonly SplitRow[]): number {
  const found = rows.slice(0, MAX_TITLE_ROWS).findIndex(({ cells }) => isHead(cells));
  return found === -1 ? 0 : found;
}

function toRow({ cells, broken }: SplitRow, row: number, columns: number): TableRow {
  if (broken)
    return wrong(
      row,
      cells,
      'The row has a quote that is not closed, or not doubled. Put quotes around the cell and double those in it.',
    );
  // A comma without quotes around it shifts all cells behind it.
  if (cells.slice(columns).some((cell) => cell.trim() !== ''))
    return wrong(
      row,
      cells,
      `The row has ${cells.length} cells, but there are ${columns} column names. Put quotes around a cell that contains the separator.`,
    );
  return { row, cells };
}

function wrong(row: number, cells: readonly string[], detail: string): TableRow {
  return { row, cells, errors: [{ field: null, detail }] };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(markedEncoding(bytes), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
