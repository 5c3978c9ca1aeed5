import { type ReactNode, useState } from 'react';
import { downloadText } from '../../ui/clipboard.ts';
import { Card } from '../../ui/page.tsx';
import { CardButton } from './card-button.tsx';
import { chartCsv } from './chart-csv.ts';
import { ChartTable, type RowLinks } from './chart-table.tsx';
import classes from './overview.module.css';
import type { Series } from './series.ts';

interface ChartCardProps {
  readonly title: string;
  readonly series: readonly Series[];
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  /** What each row is about, for links to it. */
  readonly links?: RowLinks;
  /** Under the chart. */
  readonly hint?: string;
  /** What else can be done with it, before those that every chart has. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

/** A chart with its legend; the same numbers can be read as a table, and taken away as a file. */
export function ChartCard({ title, series, rows, links, hint, more, children }: ChartCardProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Card
      title={title}
      aside={
        <div className={classes.legend}>
          {series.map((one) => (
            <span key={one.key} className={classes.key}>
              <Swatch series={one} />
              {one.label}
            </span>
          ))}
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
      {asTable ? (
        <ChartTable title={title} series={series} rows={rows} {...(links !== undefined && { links })} />
      ) : (
        <div
          className={classes.chart}
          data-pick={links !== undefined || undefined}
          role="img"
          aria-label={`Chart: ${title}. Also as a table.`}
        >
          {children}
        </div>
      )}
      {!asTable && hint !== undefined && <p className={`${classes.hint} dimmed small`}>{hint}</p>}
    </Card>
  );
}

/** How a series looks in the chart. */
function Swatch({ series: { color, dash, hatch } }: { readonly series: Series }) {
  if (hatch !== undefined) {
    const stripes = `repeating-linear-gradient(${hatch + 90}deg, ${color} 0 3px, var(--surface) 3px 4.5px)`;
    return <span className={classes.swatch} style={{ background: stripes }} aria-hidden="true" />;
  }
  if (dash === undefined)
    return <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />;
  return (
    <svg width="17" height="8" aria-hidden="true">
      <line x1="0" x2="17" y1="4" y2="4" stroke={color} strokeWidth="2.5" strokeDasharray={dash} />
    </svg>
  );
}

function fileName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
