import classes from './sparkline.module.css';

const WIDTH = 96;
const HEIGHT = 24;
const GAP = 1;

interface SparklineProps {
  readonly bars: readonly { readonly good: number; readonly bad: number }[];
  /** The description for screen readers. */
  readonly label: string;
}

/** One bar per hour: accepted below, rejected on top. */
export function Sparkline({ bars, label }: SparklineProps) {
  const most = Math.max(1, ...bars.map(({ good, bad }) => good + bad));
  const width = WIDTH / Math.max(1, bars.length) - GAP;
  return (
    <svg
      className={classes.sparkline}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      {bars.map(({ good, bad }, index) => {
        const x = index * (width + GAP);
        const goodHeight = scaled(good, most);
        const badHeight = scaled(bad, most);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position.
          <g key={index}>
            <rect x={x} y={HEIGHT - 1} width={width} height={1} className={classes.floor} />
            <rect x={x} y={HEIGHT - goodHeight} width={width} height={goodHeight} className={classes.good} />
            <rect
              x={x}
              y={HEIGHT - goodHeight - badHeight}
              width={width}
              height={badHeight}
              className={classes.bad}
            />
          </g>
        );
      })}
    </svg>
  );
}

/** Makes every value above zero visible. */
function scaled(value: number, most: number): number {
  return value === 0 ? 0 : Math.max(2, (value / most) * HEIGHT);
}
