import type { Series } from './series.ts';

/** The numbers of a chart as CSV (RFC 4180), times in UTC; a gap is an empty field. */
export function chartCsv(
  series: readonly Pick<Series, 'key' | 'label'>[],
  rows: readonly Readonly<Record<string, string | number | null>>[],
): string {
  const lines = rows.map((row) => [row.at ?? '', ...series.map(({ key }) => row[key] ?? '')]);
  return csvOf([['time', ...series.map(({ label }) => label)], ...lines]);
}

/** Rows of fields as CSV (RFC 4180). */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((fields) => `${fields.map(field).join(',')}\r\n`).join('');
}

function field(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
