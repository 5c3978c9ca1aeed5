import type { Overview } from '@sluice/contract/dashboard/overview';
import { DeliveriesChart } from './deliveries-chart.tsx';
import { LineCard } from './line-card.tsx';
import classes from './overview.module.css';

const PERCENTILES = [
  { key: 'p50', label: 'p50', color: 'var(--chart-accent)', dash: '0' },
  { key: 'p95', label: 'p95', color: 'var(--chart-accent-2)', dash: '6 3' },
  { key: 'p99', label: 'p99', color: 'var(--chart-accent-3)', dash: '2 3' },
];
/** No answer takes longer (docs/guarantees.md). */
const ANSWER_LIMIT = { value: 1500, label: 'every answer within 1.5 s' };
const QUEUE = [
  { key: 'queue', label: 'Waiting groups', color: 'var(--chart-accent)', dash: '0' },
  { key: 'workers', label: 'Workers', color: 'var(--chart-accent-2)', dash: '6 3', axis: 'right' as const },
];

export function Charts({ overview }: { readonly overview: Overview }) {
  const { points, range } = overview;
  return (
    <>
      <DeliveriesChart overview={overview} />
      <div className={classes.pair}>
        <LineCard
          title="Ingress latency"
          unit="ms"
          range={range}
          lines={PERCENTILES}
          points={points.map(({ at, ingress_ms }) => ({ at, ...ingress_ms }))}
          limit={ANSWER_LIMIT}
        />
        <LineCard
          title="From accepted to applied"
          unit="ms"
          range={range}
          lines={PERCENTILES}
          points={points.map(({ at, lag_ms }) => ({ at, ...lag_ms }))}
        />
      </div>
      <LineCard
        title="Queue depth and workers"
        unit=""
        range={range}
        lines={QUEUE}
        points={points.map(({ at, queue_depth: queue, workers }) => ({ at, queue, workers }))}
      />
    </>
  );
}
