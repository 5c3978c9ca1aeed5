import { IMPORT_MAX_ROWS } from '@sluice/dashboard-api/limits';
import { bytesOfFile, type UnreadFile } from './file-bytes.ts';
import { type FileRead, refused } from './import-table.ts';
import { readCsv } from './read-csv.ts';

/** Reads a CSV file of leads. A refusal says what to do. */
export async function readLeadFile(file: UnreadFile): Promise<FileRead> {
  const content = await bytesOfFile(file);
  if (content.outcome === 'refused') return content;
  const read = await readCsv(file.name, content.bytes);
  if (read.outcome === 'refused' || read.table.rows.length <= IMPORT_MAX_ROWS) return read;
  const [count, most] = [read.table.rows.length, IMPORT_MAX_ROWS].map((one) => one.toLocaleString('en'));
  return refused(`The file has ${count} rows; at most ${most} are imported at once. Split it.`);
}
