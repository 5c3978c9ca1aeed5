import { shortLocalTime } from '../../../ui/time.ts';
import type { Row, Series } from '../series.ts';
import { Swatch } from '../swatch.tsx';
import classes from './plot.module.css';

interface TooltipProps {
  /** undefined: nothing is pointed at. */
  readonly row: Row | undefined;
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Pixels: the place that it points at, and the width of the chart. */
  readonly x: number;
  readonly width: number;
}

const DISTANCE = 12;

/** The numbers of one bucket, beside it on the side with more room. A screen reader reads them as they change. */
export function Tooltip({ row, series, format, x, width }: TooltipProps) {
  const place =
    x < width / 2
      ? { left: x + DISTANCE, maxWidth: width - x - DISTANCE }
      : { right: width - x + DISTANCE, maxWidth: x - DISTANCE };
  return (
    <div role="status" className={classes.tooltip} style={place}>
      {row !== undefined && (
        <>
          <strong>{shortLocalTime(String(row.at))}</strong>
          <ul>
            {series.map((one) => {
              const value = row[one.key];
              return typeof value === 'number' ? (
                <li key={one.key}>
                  <Swatch series={one} />
                  <span>{one.label}</span> <span className="number">{format(value)}</span>
                </li>
              ) : null;
            })}
          </ul>
        </>
      )}
    </div>
  );
}
