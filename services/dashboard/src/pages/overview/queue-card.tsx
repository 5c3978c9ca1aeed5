import type { OverviewPoint } from '@sluice/dashboard-api/overview';
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { shortLocalTime } from '../../ui/time.ts';
import { ChartCard } from './chart-card.tsx';
import { AXIS, DOT, isolated, TOOLTIP_STYLE, timeAxis } from './chart-words.ts';

/** From the bottom up: what is being worked on is the least reason to worry. */
const STATES = [
  { key: 'active', label: 'Active', color: 'var(--chart-ok)' },
  { key: 'waiting', label: 'Waiting', color: 'var(--chart-accent)' },
  { key: 'delayed', label: 'Delayed', color: 'var(--chart-403)' },
  { key: 'dead_letters', label: 'Dead letters', color: 'var(--chart-401)' },
];
const WORKERS = { key: 'workers', label: 'Workers', color: 'var(--chart-accent-2)', dash: '6 3' };

interface QueueCardProps {
  readonly points: readonly OverviewPoint[];
  readonly range: string;
}

/** Did scaling help? The groups in the queues by state, against the workers that take them. */
export function QueueCard({ points, range }: QueueCardProps) {
  const rows = points.map(({ at, queue, queue_depth: depth, workers }) => ({
    at,
    // Of what was only added up, all may have waited.
    ...(queue ?? { active: null, waiting: depth, delayed: null, dead_letters: null }),
    workers,
  }));
  return (
    <ChartCard title="Queue depth by state, and workers" series={[...STATES, WORKERS]} rows={rows}>
      <ResponsiveContainer>
        <ComposedChart data={rows} margin={{ top: 8, right: -16, bottom: 0, left: -12 }}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis {...timeAxis(range)} />
          <YAxis {...AXIS} yAxisId="left" allowDecimals={false} />
          <YAxis {...AXIS} yAxisId="right" orientation="right" allowDecimals={false} />
          <Tooltip {...TOOLTIP_STYLE} labelFormatter={(at) => shortLocalTime(String(at))} />
          {STATES.map(({ key, label, color }) => (
            <Area
              key={key}
              yAxisId="left"
              stackId="state"
              type="linear"
              dataKey={key}
              name={label}
              stroke={color}
              fill={color}
              fillOpacity={0.35}
              dot={isolated(rows, key) ? DOT : false}
              connectNulls
              isAnimationActive={false}
            />
          ))}
          <Line
            yAxisId="right"
            type="stepAfter"
            dataKey={WORKERS.key}
            name={WORKERS.label}
            stroke={WORKERS.color}
            strokeWidth={2}
            strokeDasharray={WORKERS.dash}
            dot={isolated(rows, WORKERS.key) ? DOT : false}
            connectNulls
            isAnimationActive={false}
          />
        </ComposedChart>
      </ResponsiveContainer>
    </ChartCard>
  );
}
