import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { shortLocalTime } from '../../ui/time.ts';
import { ChartCard } from './chart-card.tsx';
import { axisTime, TOOLTIP_STYLE } from './chart-words.ts';

interface LineCardProps {
  readonly title: string;
  readonly unit: string;
  readonly range: string;
  readonly lines: readonly {
    readonly key: string;
    readonly label: string;
    readonly color: string;
    readonly dash: string;
    readonly axis?: 'right';
  }[];
  readonly points: readonly Readonly<Record<string, string | number | null>>[];
}

export function LineCard({ title, unit, range, lines, points }: LineCardProps) {
  const hasRight = lines.some(({ axis }) => axis === 'right');
  const axis = { tickLine: false, axisLine: false, tick: { fill: 'var(--mantine-color-dimmed)' } };
  return (
    <ChartCard title={unit === '' ? title : `${title}, ${unit}`} series={lines} rows={points}>
      <ResponsiveContainer>
        <LineChart data={[...points]} margin={{ top: 8, right: hasRight ? -16 : 8, bottom: 0, left: -12 }}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            {...axis}
            dataKey="at"
            tickFormatter={(at) => axisTime(at, range)}
            minTickGap={48}
            axisLine={{ stroke: 'var(--line-strong)' }}
          />
          <YAxis {...axis} yAxisId="left" />
          {hasRight && <YAxis {...axis} yAxisId="right" orientation="right" allowDecimals={false} />}
          <Tooltip
            {...TOOLTIP_STYLE}
            labelFormatter={(at) => shortLocalTime(String(at))}
            formatter={(value) =>
              `${Number(value).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
            }
          />
          {lines.map(({ key, label, color, dash, axis: side }) => (
            <Line
              key={key}
              yAxisId={side ?? 'left'}
              type={side === 'right' ? 'stepAfter' : 'linear'}
              dataKey={key}
              name={label}
              stroke={color}
              strokeWidth={2}
              strokeDasharray={dash}
              dot={isolated(points, key) ? { r: 2.5, strokeDasharray: '0' } : false}
              connectNulls
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </ChartCard>
  );
}

/** A line needs two points; fewer are drawn as dots. */
function isolated(points: LineCardProps['points'], key: string): boolean {
  return points.filter((point) => point[key] !== null).length < 2;
}
