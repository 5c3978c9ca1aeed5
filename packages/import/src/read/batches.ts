import { groupsWithin } from '@sluice/contract/within-limits';
import type { ImportRow } from '@sluice/dashboard-api/imports';
import { IMPORT_BATCH_ROWS } from '@sluice/dashboard-api/limits';

/** The API accepts at most 1 MiB per request; this leaves room. */
const BATCH_BYTES = 700 * 1024;

/** Splits the rows into batches that fit into a request, in order. */
export function batchesOf(rows: readonly ImportRow[]): ImportRow[][] {
  const encoder = new TextEncoder();
  const sizeOf = (row: ImportRow) => encoder.encode(JSON.stringify(row)).length;
  return groupsWithin(rows, { sizeOf, maxItems: IMPORT_BATCH_ROWS, maxSize: BATCH_BYTES });
}
