import type { CheckedRow } from '@sluice/dashboard-api/imports';

/** Corrects the verdicts of rows about an event that an earlier row of the same file creates or changes. */
export function withRepetitions(rows: readonly CheckedRow[]): CheckedRow[] {
  const touched = new Set<string>();
  return rows.map((row) => {
    if (row.verdict === 'bad') return row;
    const isAgain = touched.has(row.event_id);
    if (row.verdict !== 'nothing' && row.verdict !== 'unchanged') touched.add(row.event_id);
    if (!isAgain) return row;
    switch (row.verdict) {
      case 'new':
      case 'unchanged':
        return { ...row, verdict: 'update' };
      case 'nothing':
        return { ...row, verdict: 'cancel' };
      default:
        return row;
    }
  });
}
