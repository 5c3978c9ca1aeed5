import { IMPORT_MAX_BYTES, IMPORT_MAX_ROWS } from '@sluice/contract/dashboard/limits';

/** One row of a file. */
export interface CsvRow {
  /** Where it stands in the file; the row of the column names is 1. */
  readonly row: number;
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly fileName: string;
  readonly columns: readonly string[];
  /** Without empty ones. */
  readonly rows: readonly CsvRow[];
}

export type CsvRead =
  | { readonly outcome: 'read'; readonly table: CsvTable }
  | { readonly outcome: 'refused'; readonly why: string };

/** Reads a CSV file whose first row names its columns. */
export async function readCsv(file: File): Promise<CsvRead> {
  if (file.size > IMPORT_MAX_BYTES)
    return refused(`The file is larger than ${IMPORT_MAX_BYTES / 1024 / 1024} MB. Split it.`);
  const text = decode(await file.arrayBuffer());
  if (text === undefined)
    return refused('The file is not UTF-8. Save it again as “CSV UTF-8”, then choose it anew.');
  const { default: papa } = await import('papaparse');
  const { data, errors } = papa.parse<string[]>(text);
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken !== undefined)
    return refused(
      `Row ${(broken.row ?? 0) + 1} has a quote that is not closed, or not doubled. Correct it.`,
    );
  const [columns = [], ...others] = data;
  const rows = others
    .map((cells, index) => ({ row: index + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (rows.length === 0) return refused('The file has no rows below its first one, which names the columns.');
  if (rows.length > IMPORT_MAX_ROWS)
    return refused(
      `The file has ${rows.length.toLocaleString('en')} rows; at most ${IMPORT_MAX_ROWS.toLocaleString('en')} are imported at once. Split it.`,
    );
  return { outcome: 'read', table: { fileName: file.name, columns, rows } };
}

function decode(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function refused(why: string): CsvRead {
  return { outcome: 'refused', why };
}
