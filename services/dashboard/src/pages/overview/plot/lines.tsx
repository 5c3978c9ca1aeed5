import type { Row, Series } from '../series.ts';
import type { Box } from './box.ts';
import type { Scale } from './scale.ts';

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
