import type { Overview } from '@sluice/dashboard-api/overview';
import { DeliveriesChart } from './deliveries-chart.tsx';
import { LineCard } from './line-card.tsx';
import classes from './overview.module.css';
import { Parts } from './parts.tsx';
import { QueueCard } from './queue-card.tsx';
import type { ChartSelection } from './selection.ts';

const PERCENTILES = [
  { key: 'p50', label: 'p50', color: 'var(--chart-accent)', dash: '0' },
  { key: 'p95', label: 'p95', color: 'var(--chart-accent-2)', dash: '6 3' },
  { key: 'p99', label: 'p99', color: 'var(--chart-accent-3)', dash: '2 3' },
];
/** No answer takes longer (docs/guarantees.md). */
const ANSWER_LIMIT = { value: 1500, label: 'response limit, 1.5 s' };

interface ChartsProps extends ChartSelection {
  readonly overview: Overview;
}

export function Charts({ overview, ...chosen }: ChartsProps) {
  const { points, range, bucket_seconds: bucketSeconds } = overview;
  const pick = { bucketSeconds, ...chosen };
  return (
    <>
      <DeliveriesChart overview={overview} {...pick} />
      {chosen.selection !== null && (
        <Parts selection={chosen.selection} onClear={() => chosen.select(null)} />
      )}
      <div className={classes.pair}>
        <LineCard
          title="Ingress latency"
          unit="ms"
          range={range}
          pick={pick}
          lines={PERCENTILES}
          points={points.map(({ at, ingress_ms }) => ({ at, ...ingress_ms }))}
          limit={ANSWER_LIMIT}
        />
        <LineCard
          title="From accepted to applied"
          unit="ms"
          range={range}
          pick={pick}
          lines={PERCENTILES}
          points={points.map(({ at, lag_ms }) => ({ at, ...lag_ms }))}
        />
      </div>
      <QueueCard points={points} range={range} />
    </>
  );
}
