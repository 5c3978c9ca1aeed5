import { UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Card } from '../../ui/page.tsx';
import { ChartTable } from './chart-table.tsx';
import classes from './overview.module.css';

export interface Series {
  readonly key: string;
  readonly label: string;
  readonly color: string;
}

interface ChartCardProps {
  readonly title: string;
  readonly series: readonly Series[];
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  readonly children: ReactNode;
}

/** A chart with its legend; the same numbers can be read as a table. */
export function ChartCard({ title, series, rows, children }: ChartCardProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Card
      title={title}
      aside={
        <div className={classes.legend}>
          {series.map(({ key, label, color }) => (
            <span key={key} className={classes.key}>
              <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />
              {label}
            </span>
          ))}
          <UnstyledButton
            className="small"
            fz="inherit"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            <u>{asTable ? 'As chart' : 'As table'}</u>
          </UnstyledButton>
        </div>
      }
    >
      {asTable ? (
        <ChartTable title={title} series={series} rows={rows} />
      ) : (
        <div className={classes.chart} role="img" aria-label={`Chart: ${title}. Also as a table.`}>
          {children}
        </div>
      )}
    </Card>
  );
}
