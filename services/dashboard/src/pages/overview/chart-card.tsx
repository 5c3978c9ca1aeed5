import { type ReactNode, useState } from 'react';
import { downloadText } from '../../ui/clipboard.ts';
import { Card } from '../../ui/page.tsx';
import { CardButton } from './card-button.tsx';
import { chartCsv } from './chart-csv.ts';
import { ChartTable, type RowLinks } from './chart-table.tsx';
import classes from './overview.module.css';
import type { Row, Series } from './series.ts';
import { Swatch } from './swatch.tsx';

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
        children
      )}
      {!asTable && hint !== undefined && <p className={`${classes.hint} dimmed small`}>{hint}</p>}
    </Card>
  );
}

function fileName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
