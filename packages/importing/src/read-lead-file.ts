import { IMPORT_MAX_BYTES, IMPORT_MAX_ROWS } from '@sluice/dashboard-api/limits';
import { type FileRead, refused } from './import-table.ts';
import { readCsv } from './read-csv.ts';

/** A file that is not in memory yet, such as a browser's. */
export interface UnreadFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Reads a CSV file of leads. A refusal says what to do. */
export async function readLeadFile(file: UnreadFile): Promise<FileRead> {
  if (file.size > IMPORT_MAX_BYTES)
    return refused(`The file is larger than ${IMPORT_MAX_BYTES / 1024 / 1024} MB. Split it.`);
  const read = await readCsv(file.name, new Uint8Array(await file.arrayBuffer()));
  if (read.outcome === 'refused' || read.table.rows.length <= IMPORT_MAX_ROWS) return read;
  const [count, most] = [read.table.rows.length, IMPORT_MAX_ROWS].map((one) => one.toLocaleString('en'));
  return refused(`The file has ${count} rows; at most ${most} are imported at once. Split it.`);
}
