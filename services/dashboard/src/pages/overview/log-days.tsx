import { MINUTE_MS } from '@sluice/contract/durations';
import type { LogDay } from '@sluice/dashboard-api/overview-parts';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { useMe } from '../../shell/me.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded, RowsSkeleton } from '../../ui/states.tsx';
import { shortUtcDay } from '../../ui/time.ts';
import classes from './log-days.module.css';
import type { ChartSelection } from './selection.ts';

const REFRESH_MS = MINUTE_MS;
/** Number of shades for days with requests, by share of the busiest day. */
const SHADES = 4;

/** Shows a cell for each day in the delivery log: its requests, and the share that was rejected. */
export function LogDays({ hrefOf }: Pick<ChartSelection, 'hrefOf'>) {
  const kept = useMe().installation.delivery_retention_days;
  const days = useRead(ROUTES.overview.days, {}, { everyMs: REFRESH_MS });
  return (
    <Card title="In the delivery log" aside={<span className="dimmed small">Kept for {kept} days</span>}>
      <Loaded query={days} skeleton={<RowsSkeleton rows={2} />}>
        {({ items }) => (
          <>
            <ol className={classes.days}>
              {items.map((day) => (
                <li key={day.from}>
                  <Day day={day} most={mostOf(items)} hrefOf={hrefOf} />
                </li>
              ))}
            </ol>
            <p className={`${classes.legend} dimmed small`}>
              <span>
                {shortUtcDay(items[0]?.from ?? '')} to today, in UTC. {daysWith(items)}
              </span>
              <span className={classes.key}>
                <span className={classes.refusedKey} aria-hidden="true" /> rejected
              </span>
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}

interface DayProps extends Pick<ChartSelection, 'hrefOf'> {
  readonly day: LogDay;
  readonly most: number;
}

function Day({ day: { from, to, requests, refused }, most, hrefOf }: DayProps) {
  const words = `${shortUtcDay(from)}: ${number(requests)} ${requests === 1 ? 'request' : 'requests'}, ${number(refused)} rejected`;
  if (requests === 0) return <span className={classes.day} role="img" aria-label={words} title={words} />;
  return (
    <Link
      to={hrefOf({ from, to })}
      preventScrollReset
      className={classes.day}
      data-shade={Math.ceil((requests / most) * SHADES)}
      aria-label={words}
      title={words}
    >
      {refused > 0 && (
        <span
          className={classes.refused}
          style={{ height: `${Math.max(12, (refused / requests) * 100)}%` }}
        />
      )}
    </Link>
  );
}

function mostOf(days: readonly LogDay[]): number {
  return Math.max(...days.map(({ requests }) => requests));
}

function daysWith(days: readonly LogDay[]): string {
  const count = days.filter(({ requests }) => requests > 0).length;
  return `${count} ${count === 1 ? 'day has' : 'days have'} deliveries.`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}
