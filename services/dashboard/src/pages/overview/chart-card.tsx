import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { downloadText } from '../../ui/copy.tsx';
import { Card } from '../../ui/page.tsx';
import table from '../../ui/table.module.css';
import { shortLocalTime } from '../../ui/time.ts';
import { CardButton, chartCsv } from './card-button.tsx';
import classes from './overview.module.css';
import { Swatch } from './plot/marks.tsx';
import type { Row, Series } from './plot/scale.ts';

interface ChartCardProps {
  readonly title: string;
  readonly series: readonly Series[];
  readonly rows: readonly Row[];
  /** Links from the rows of the table. */
  readonly links?: RowLinks;
  /** Under the chart. */
  readonly hint?: string;
  /** Buttons before those that every chart has. */
  readonly more?: ReactNode;
  /** The chart itself (see `Plot`). */
  readonly children: ReactNode;
}

/** A chart with its legend; the same numbers can be read as a table, and taken away as a file. */
export function ChartCard({ title, series, rows, links, hint, more, children }: ChartCardProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Card
      title={title}
      aside={
        <div className="row dimmed small">
          {!asTable && more}
          <CardButton pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? 'As chart' : 'As table'}
          </CardButton>
          <CardButton
            label={`Download CSV: ${title}`}
            onClick={() => downloadText(`sluice-${fileName(title)}.csv`, chartCsv(series, rows))}
          >
            CSV
          </CardButton>
        </div>
      }
    >
      <div className="row dimmed small">
        {series.map((one) => (
          <span key={one.key} className="line">
            <Swatch series={one} />
            {one.label}
          </span>
        ))}
      </div>
      {asTable ? (
        <ChartTable title={title} series={series} rows={rows} {...(links !== undefined && { links })} />
      ) : (
        children
      )}
      {!asTable && hint !== undefined && <p className={`${classes.hint} dimmed small`}>{hint}</p>}
    </Card>
  );
}

function fileName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** The link of a row of a chart: all of its bucket of time, or what one of its numbers counts (undefined: no link). */
export type RowLinks = (at: string, key?: string) => string | undefined;

interface ChartTableProps {
  readonly title: string;
  readonly series: readonly Series[];
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  readonly links?: RowLinks;
}

function ChartTable({ title, series, rows, links }: ChartTableProps) {
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
