/** A table for people. The first column is left-aligned, the others are right-aligned. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number)))
      .join('  ');
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

export const count = (value: number): string => Math.round(value).toLocaleString('en');
export const ratio = (value: number): string => value.toFixed(2);
export const percent = (value: number): string => `${Math.round(value * 100)} %`;
export const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));
