import { groupsWithin } from '@sluice/contract/delivery/within-limits';
import type { ImportRow } from '@sluice/dashboard-api/imports';
import type { CheckedLeadRow, LeadImportRow } from '@sluice/dashboard-api/lead-imports';
import { IMPORT_BATCH_ROWS, LEAD_IMPORT_BATCH_ROWS } from '@sluice/dashboard-api/limits';

/** The API accepts at most 1 MiB per request; this leaves room. */
const BATCH_BYTES = 700 * 1024;

/** Splits rows of events into batches that fit into a request, in order. */
export function batchesOf(rows: readonly ImportRow[]): ImportRow[][] {
  return batchesWithin(rows, IMPORT_BATCH_ROWS);
}

/** Splits rows of leads into batches that fit into a request, in order. */
export function leadBatches(rows: readonly LeadImportRow[]): LeadImportRow[][] {
  return batchesWithin(rows, LEAD_IMPORT_BATCH_ROWS);
}

function batchesWithin<Row>(rows: readonly Row[], maxItems: number): Row[][] {
  const encoder = new TextEncoder();
  const sizeOf = (row: Row) => encoder.encode(JSON.stringify(row)).length;
  return groupsWithin(rows, { sizeOf, maxItems, maxSize: BATCH_BYTES });
}

/** A second row about a new lead updates the lead that the first row creates. */
export function withRepetitions(checked: readonly CheckedLeadRow[]): CheckedLeadRow[] {
  const made = new Set<string>();
  return checked.map((one) => {
    if (one.verdict !== 'new') return one;
    const { row, notes, has, seeks } = one;
    if (seeks.some((value) => made.has(value))) return { row, notes, verdict: 'update', lead_id: null };
    for (const value of has) made.add(value);
    return one;
  });
}
