import type { Row, Series } from '../series.ts';
import type { Box } from './box.ts';
import { Hatch } from './hatch.tsx';
import type { Scale } from './scale.ts';

/** The share of a bucket's width that its bar takes. */
const BAR_SHARE = 0.9;
/** A count above zero is always visible. */
const LEAST_PIXELS = 1.5;

interface BarsProps {
  /** From the bottom up. */
  readonly series: readonly Series[];
  readonly rows: readonly Row[];
  readonly box: Box;
  readonly scale: Scale;
  readonly opacityOf: (row: Row, index: number) => number;
  /** Called for a pressed part, before the chart's own `down`. */
  readonly onPress: (key: string) => void;
}

/** A bar for each bucket, made up of its series. */
export function StackedBars({ series, rows, box, scale, opacityOf, onPress }: BarsProps) {
  const width = box.step * BAR_SHARE;
  return (
    <>
      <defs>
        {series.map((one) => (
          <Hatch key={one.key} id={`status-${one.key}`} series={one} />
        ))}
      </defs>
      {rows.map((row, index) => {
        let y = box.bottom;
        return (
          <g key={row.at} fillOpacity={opacityOf(row, index)}>
            {series.map(({ key, color, hatch }) => {
              const value = Number(row[key] ?? 0);
              if (value === 0) return null;
              const height = Math.max(LEAST_PIXELS, box.bottom - box.y(scale.share(value)));
              y -= height;
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: the table of the chart has links instead.
                <path
                  key={key}
                  d={`M${box.x(index) - width / 2},${y}h${width}v${height}h${-width}z`}
                  fill={hatch === undefined ? color : `url(#status-${key})`}
                  onMouseDown={() => onPress(key)}
                />
              );
            })}
          </g>
        );
      })}
    </>
  );
}
