import type { Overview } from '@sluice/dashboard-api/overview';
import { duration } from '../../ui/time.ts';
import classes from './overview.module.css';

const RANGE_WORDS = {
  '1h': 'in the last hour',
  '24h': 'in the last 24 hours',
  '7d': 'in the last 7 days',
  '30d': 'in the last 30 days',
};

/** Shows the totals. The charts below show them over time. */
export function Figures({ overview }: { readonly overview: Overview }) {
  const { totals, now } = overview;
  const share = totals.requests === 0 ? null : (totals.accepted / totals.requests) * 100;
  const figures = [
    { name: 'Deliveries', value: totals.requests.toLocaleString('en'), aside: RANGE_WORDS[overview.range] },
    {
      name: 'Accepted',
      // Rounded down, so that 100 % means that nothing was rejected.
      value: share === null ? '–' : `${Math.floor(share * 10) / 10} %`,
      aside: `${totals.refused.toLocaleString('en')} rejected`,
    },
    {
      name: 'Ingress response time',
      value: duration(totals.ingress_ms.p95),
      aside: 'p95, whole installation',
    },
    { name: 'Accepted to applied', value: duration(totals.lag_ms.p95), aside: 'p95' },
    {
      name: 'Queue',
      value: now.queue_depth.toLocaleString('en'),
      aside: `${now.workers} ${now.workers === 1 ? 'worker' : 'workers'}${
        now.oldest_waiting_ms === null ? '' : `, oldest waits ${duration(now.oldest_waiting_ms)}`
      }`,
    },
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(({ name, value, aside }) => (
        <div key={name} className={classes.figure}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          <dd className={classes.aside}>{aside}</dd>
        </div>
      ))}
    </dl>
  );
}
