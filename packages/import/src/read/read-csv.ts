import { fromSpreadsheetText } from '@sluice/contract/text/spreadsheet-text';
import { decodeText, decodingNotes } from '../calendar/decode-calendar.ts';
import { type FileRead, refused, type TableRow } from './import-table.ts';
import { isHead } from './mapping.ts';

/**
 * Reads a CSV file whose first row contains the column names; a title above it, and `sep=;`, are passed over. Removes
 * apostrophes that an export put before formulas.
 */
export async function readCsv(fileName: string, bytes: Uint8Array): Promise<FileRead> {
  const decoded = decodeText(bytes);
  // Files of spreadsheet programs and pictures have such characters, a table has none.
  if (decoded.otherLines.length > 0 && decoded.text.includes('\0'))
    return refused('The file is no text. Save it as “CSV UTF-8”, then choose it again.');
  const { default: papa } = await import('papaparse');
  const rows = splitRows((one, settings) => papa.parse<string[]>(one, settings), decoded.text).map((one) => ({
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
  const notes = decodingNotes(decoded);
  return { outcome: 'read', table: { fileName, format: 'csv', columns, rows: read, notes } };
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

/** The parser of one text, such as papaparse's `parse`. */
export type ParseCells = (
  text: string,
  settings: { readonly delimiter?: string; readonly newline?: '\n' },
) => {
  readonly data: readonly (readonly string[])[];
  readonly errors: readonly { readonly type: string; readonly code: string }[];
  readonly meta: { readonly delimiter: string };
};

export interface SplitRow {
  readonly cells: readonly string[];
  /** The row has a quote that is not closed, or not doubled. Its only cell is the unchanged line. */
  readonly broken: boolean;
}

/** A quoted cell may have line ends. Longer ones than this are taken for a quote that was never closed. */
const MAX_LINES = 200;

/** The limit for reading such cells of one file again with each further line. Characters. Beyond it an open quote costs its row. */
const READ_AGAIN = 20_000_000;

/**
 * Splits a CSV text (RFC 4180) into rows of cells. Each of CRLF, LF CR, LF and CR ends a row outside of quotes, also mixed, because files
 * are joined from two systems. A stray quote costs its row and no other.
 */
export function splitRows(parse: ParseCells, text: string): SplitRow[] {
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n|\n\r|\r/g, '\n');
  const named = /^sep=(.)\n/i.exec(lines);
  // papaparse 5.7.1 does not detect the tabs of a file with one row and an empty line behind it.
  const body = withoutLastLineEnds(named === null ? lines : lines.slice(named[0].length));
  const settings = { newline: '\n' as const, ...(named?.[1] !== undefined && { delimiter: named[1] }) };
  const whole = parse(body, settings);
  if (!whole.errors.some(isOfQuotes)) return whole.data.map((cells) => ({ cells, broken: false }));
  return splitOneByOne(parse, body.split('\n'), { ...settings, delimiter: whole.meta.delimiter });
}

/** A pattern such as /\n+$/ would begin at each line end of a file of nothing else. */
function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

function isOfQuotes({ type }: { readonly type: string }): boolean {
  return type === 'Quotes';
}

function splitOneByOne(
  parse: ParseCells,
  lines: readonly string[],
  settings: Parameters<ParseCells>[1],
): SplitRow[] {
  const rows: SplitRow[] = [];
  const again = { left: READ_AGAIN };
  for (let at = 0; at < lines.length; ) {
    const row = rowAt((text) => parse(text, settings), lines, at, again);
    rows.push(row ?? { cells: [lines[at] as string], broken: true });
    at += row?.lines ?? 1;
  }
  return rows;
}

/** The row that begins on a line; undefined if its quotes are wrong. */
function rowAt(
  parse: (text: string) => ReturnType<ParseCells>,
  lines: readonly string[],
  at: number,
  again: { left: number },
): (SplitRow & { readonly lines: number }) | undefined {
  for (let count = 1; count <= MAX_LINES && at + count <= lines.length; count++) {
    // A line without a quote closes none.
    if (count > 1 && lines[at + count - 1]?.includes('"') === false) continue;
    const text = lines.slice(at, at + count).join('\n');
    if (count > 1) again.left -= text.length;
    if (count > 1 && again.left < 0) return undefined;
    const { data, errors } = parse(text);
    const quotes = errors.filter(isOfQuotes);
    if (quotes.length === 0)
      return data.length > 1 ? undefined : { cells: data[0] ?? [''], broken: false, lines: count };
    // Only an open quote may be closed by a later line.
    if (quotes.some(({ code }) => code !== 'MissingQuotes')) return undefined;
  }
  return undefined;
}
