import { Link } from 'react-router';
import table from '../../ui/table.module.css';
import { shortLocalTime } from '../../ui/time.ts';
import classes from './chart-table.module.css';
import type { Series } from './series.ts';

/** The link of a row of a chart: all of its bucket of time, or what one of its numbers counts (undefined: no link). */
export type RowLinks = (at: string, key?: string) => string | undefined;

interface ChartTableProps {
  readonly title: string;
  readonly series: readonly Series[];
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  readonly links?: RowLinks;
}

export function ChartTable({ title, series, rows, links }: ChartTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it.
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
              <td className="nowrap">
                <Linked to={series.some(({ key }) => row[key]) ? links?.(String(row.at)) : undefined}>
                  {shortLocalTime(String(row.at))}
                </Linked>
              </td>
              {series.map(({ key, label }) => (
                <td key={key} data-label={label} className={`${table.end} number`}>
                  <Linked to={row[key] ? links?.(String(row.at), key) : undefined}>
                    {row[key]?.toLocaleString('en') ?? '–'}
                  </Linked>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Linked({ to, children }: { readonly to: string | undefined; readonly children: string }) {
  if (to === undefined) return children;
  return (
    <Link to={to} preventScrollReset>
      {children}
    </Link>
  );
}
