import { fromSpreadsheetText } from '@sluice/contract/spreadsheet-text';
import { type FileRead, refused } from './import-table.ts';

/**
 * Reads a CSV file whose first row contains the column names. Removes apostrophes that an export put before formulas.
 */
export async function readCsv(fileName: string, bytes: Uint8Array): Promise<FileRead> {
  const text = decode(bytes);
  if (text === undefined)
    return refused('The file is not UTF-8. Save it as “CSV UTF-8”, then choose it again.');
  const { default: papa } = await import('papaparse');
  const { data, errors } = papa.parse<string[]>(text);
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken !== undefined)
    return refused(
      `Row ${(broken.row ?? 0) + 1} has a quote that is not closed, or not doubled. Fix it, then choose the file again.`,
    );
  const [columns = [], ...others] = data.map((cells) => cells.map(fromSpreadsheetText));
  const rows = others
    .map((cells, index) => ({ row: index + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (rows.length === 0) return refused('The file has no rows below the column names.');
  return { outcome: 'read', table: { fileName, format: 'csv', columns, rows } };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
