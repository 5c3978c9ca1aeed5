import { useId } from 'react';
import classes from '../overview.module.css';
import type { Box, Row, Scale, Series } from './scale.ts';

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

const DOT_RADIUS = 2.5;
const ACTIVE_RADIUS = 3.5;

interface LineProps {
  readonly series: Series;
  readonly rows: readonly Row[];
  readonly box: Box;
  readonly scale: Scale;
  /** The bucket that is pointed at. */
  readonly active: number | null;
  /** A value stays until the next one. */
  readonly steps?: boolean;
}

/** A line through all values that there are. It needs two points: a single one is a dot. */
export function Line({ series: { key, color, dash }, rows, box, scale, active, steps = false }: LineProps) {
  const points = rows.flatMap((row, index) => {
    const value = row[key];
    return typeof value === 'number' ? [{ index, x: box.x(index), y: box.y(scale.share(value)) }] : [];
  });
  const join = (x: number, y: number) => (steps ? `H${x}V${y}` : `L${x},${y}`);
  const [first, ...rest] = points;
  if (first === undefined) return null;
  const path = `M${first.x},${first.y}${rest.map(({ x, y }) => join(x, y)).join('')}`;
  const dots = points.filter(({ index }) => rest.length === 0 || index === active);
  return (
    <>
      <path d={path} fill="none" stroke={color} strokeWidth={2} strokeDasharray={dash} />
      {dots.map(({ index, x, y }) => (
        <circle key={index} cx={x} cy={y} r={index === active ? ACTIVE_RADIUS : DOT_RADIUS} fill={color} />
      ))}
    </>
  );
}

interface AreasProps extends Omit<LineProps, 'series' | 'steps' | 'active'> {
  /** From the bottom up. */
  readonly series: readonly Series[];
}

/** Areas one upon the other: the top edge is the sum. */
export function StackedAreas({ series, rows, box, scale }: AreasProps) {
  const sums = rows.map(() => 0);
  return series.map(({ key, color }) => {
    const points = rows.flatMap((row, index) => {
      const value = row[key];
      if (typeof value !== 'number') return [];
      const below = sums[index] ?? 0;
      sums[index] = below + value;
      return [{ x: box.x(index), from: box.y(scale.share(below)), to: box.y(scale.share(below + value)) }];
    });
    if (points.length === 0) return null;
    const top = points.map(({ x, to }) => `${x},${to}`).join('L');
    const bottom = points.toReversed().map(({ x, from }) => `${x},${from}`);
    const [only] = points;
    return (
      <g key={key} fill={color}>
        {points.length === 1 && <circle cx={only?.x} cy={only?.to} r={DOT_RADIUS} />}
        <path d={`M${top}L${bottom.join('L')}z`} fillOpacity={0.35} />
        <path d={`M${top}`} fill="none" stroke={color} />
      </g>
    );
  });
}

/** Rejections are hatched, each at another angle, because not everybody can tell their colours apart. */
function Hatch({ id, series: { color, hatch } }: { readonly id: string; readonly series: Series }) {
  if (hatch === undefined) return null;
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform={`rotate(${hatch})`}>
      <rect width="6" height="6" fill={color} />
      <line x1="0" x2="6" y1="0.75" y2="0.75" stroke="var(--surface)" strokeWidth="1.5" />
    </pattern>
  );
}

/** How a series looks in the chart. A hatched one has the pattern of its bars. */
export function Swatch({ series }: { readonly series: Series }) {
  const { color, dash, hatch } = series;
  const id = useId();
  if (dash !== undefined)
    return (
      <svg width="17" height="8" aria-hidden="true">
        <line x1="0" x2="17" y1="4" y2="4" stroke={color} strokeWidth="2.5" strokeDasharray={dash} />
      </svg>
    );
  if (hatch === undefined)
    return <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />;
  return (
    <svg className={classes.swatch} aria-hidden="true">
      <defs>
        <Hatch id={id} series={series} />
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  );
}
