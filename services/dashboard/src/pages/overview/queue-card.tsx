import type { OverviewPoint } from '@sluice/dashboard-api/overview';
import { ChartCard } from './chart-card.tsx';
import { Line, StackedAreas } from './plot/lines.tsx';
import { Plot } from './plot/plot.tsx';
import { linearScale } from './plot/scale.ts';
import { mostOf } from './series.ts';

/** From the bottom up: what is being worked on is the least reason to worry. */
const STATES = [
  { key: 'active', label: 'Active', color: 'var(--chart-ok)' },
  { key: 'waiting', label: 'Waiting', color: 'var(--chart-accent)' },
  { key: 'delayed', label: 'Delayed', color: 'var(--chart-403)' },
  { key: 'dead_letters', label: 'Dead letters', color: 'var(--chart-401)' },
];
const WORKERS = { key: 'workers', label: 'Workers', color: 'var(--chart-accent-2)', dash: '6 3' };
const SERIES = [...STATES, WORKERS];
const TITLE = 'Queue depth by state, and workers';

interface QueueCardProps {
  readonly points: readonly OverviewPoint[];
  readonly range: string;
}

/** Did scaling help? The groups in the queues by state, against the workers that take them. */
export function QueueCard({ points, range }: QueueCardProps) {
  const rows = points.map(({ at, queue, queue_depth: depth, workers }) => ({
    at,
    // Older buckets have only the sum: all of it may have waited.
    ...(queue ?? { active: null, waiting: depth, delayed: null, dead_letters: null }),
    workers,
  }));
  const scale = linearScale(mostOf(rows, STATES, true), { whole: true });
  const workersScale = linearScale(mostOf(rows, [WORKERS]), { whole: true });
  return (
    <ChartCard title={TITLE} series={SERIES} rows={rows}>
      <Plot title={TITLE} range={range} rows={rows} series={SERIES} scale={scale} rightScale={workersScale}>
        {(box, active) => (
          <>
            <StackedAreas series={STATES} rows={rows} box={box} scale={scale} />
            <Line series={WORKERS} rows={rows} box={box} scale={workersScale} active={active} steps />
          </>
        )}
      </Plot>
    </ChartCard>
  );
}
