import { openAsBlob } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ImportTable } from '@sluice/import/read/import-table';
import { columnNames, isComplete, type LeadMapping, toLeadRow } from '@sluice/import/read/lead-mapping';
import { readLeadFile } from '@sluice/import/read/read-file';
import { failed, wrongUsage } from '../exit-codes.ts';
import { type MappedColumn, mapColumns } from './map-columns.ts';

/** Reads the file. Throws a failure with what to do if it cannot be read. */
export async function readLeadsFile(path: string): Promise<ImportTable> {
  const read = await readLeadFile(await openFile(path));
  if (read.outcome === 'refused') throw failed(`${path}: ${read.why}`);
  return read.table;
}

async function openFile(path: string) {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new Error('it is a folder');
    // A pipe has no size before its end. Containers need one: `docker compose exec -T api sluice lead import /dev/stdin`.
    const blob = found.isFile() ? await openAsBlob(path) : new Blob([await readFile(path)]);
    return { name: basename(path), size: blob.size, arrayBuffer: () => blob.arrayBuffer() };
  } catch (error) {
    throw wrongUsage(`Can't read ${path}: ${(error as Error).message}`);
  }
}

/** The mapping of the columns. Throws wrong usage if no column identifies a lead. */
export function mappingOf({ columns }: ImportTable, mapped: readonly MappedColumn[]): LeadMapping {
  const mapping = mapColumns(columns, mapped);
  if (isComplete(mapping)) return mapping;
  throw wrongUsage(
    `No column is a name, email, phone or external_id. Map one, such as --map "${columns[0] ?? 'Column'}=email". The columns are: ${columnNames(columns).join(', ')}.`,
  );
}

/** The rows that can be sent. Rows with errors in the file itself are left out. */
export function leadRows(table: ImportTable, mapping: LeadMapping) {
  return table.rows
    .filter(({ errors }) => errors === undefined)
    .map((row) => toLeadRow(table.columns, mapping, row));
}
