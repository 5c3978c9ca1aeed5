import { groupsWithin } from '@sluice/contract/within-limits';
import type { CheckedLeadRow, LeadImportRow } from '@sluice/dashboard-api/lead-imports';
import type { LeadMatch } from '@sluice/dashboard-api/lead-names';
import { LEAD_IMPORT_BATCH_ROWS } from '@sluice/dashboard-api/limits';

/** The API accepts at most 1 MiB per request; this leaves room. */
const BATCH_BYTES = 700 * 1024;

/** Splits the rows into batches that fit into a request, in order. */
export function leadBatches(rows: readonly LeadImportRow[]): LeadImportRow[][] {
  const encoder = new TextEncoder();
  const sizeOf = (row: LeadImportRow) => encoder.encode(JSON.stringify(row)).length;
  return groupsWithin(rows, { sizeOf, maxItems: LEAD_IMPORT_BATCH_ROWS, maxSize: BATCH_BYTES });
}

/** A second row about a new lead updates the lead that the first row creates. */
export function withRepetitions(
  checked: readonly CheckedLeadRow[],
  rows: readonly LeadImportRow[],
  matchOn: readonly LeadMatch[],
): CheckedLeadRow[] {
  const made = new Set<string>();
  return checked.map((one, index) => {
    const row = rows[index];
    if (one.verdict !== 'new' || row === undefined) return one;
    const keys = matchKeys(row, matchOn);
    if (keys.some((key) => made.has(key))) return { ...one, verdict: 'update' };
    for (const key of keys) made.add(key);
    return one;
  });
}

/** The values by which a row would find an existing lead. */
function matchKeys({ lead }: LeadImportRow, matchOn: readonly LeadMatch[]): string[] {
  return matchOn.flatMap((field) => {
    const value = lead[field];
    return value === undefined ? [] : [`${field} ${value.toLowerCase()}`];
  });
}
