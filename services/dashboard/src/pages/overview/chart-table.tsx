import table from '../../ui/table.module.css';
import { shortLocalTime } from '../../ui/time.ts';
import type { Series } from './chart-card.tsx';
import classes from './chart-table.module.css';

interface ChartTableProps {
  readonly title: string;
  readonly series: readonly Series[];
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
}

export function ChartTable({ title, series, rows }: ChartTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer must be able to scroll it.
    <section className={classes.scroll} tabIndex={0} aria-label={title}>
      <table className={table.table}>
        <thead>
          <tr>
            <th>Time</th>
            {series.map(({ key, label }) => (
              <th key={key} className={table.end}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <tr key={row.at}>
              <td className="nowrap">{shortLocalTime(String(row.at))}</td>
              {series.map(({ key, label }) => (
                <td key={key} data-label={label} className={`${table.end} number`}>
                  {row[key]?.toLocaleString('en') ?? '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
