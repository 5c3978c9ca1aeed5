import { spreadsheetText } from '@sluice/contract/text/spreadsheet-text';

/** Without a BOM, spreadsheets misread UTF-8. */
export const BOM = '\uFEFF';

/** One line of a CSV file (RFC 4180). Quotes keep a cell intact in programs that also split at semicolons and tabs. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** Senders choose the texts, so none may begin a formula. */
function cell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = spreadsheetText(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
