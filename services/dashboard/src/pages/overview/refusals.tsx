import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { Overview } from '@sluice/dashboard-api/overview';
import type { LogDay } from '@sluice/dashboard-api/overview-parts';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { useMe } from '../../shell/me.tsx';
import { latestDeliveryPath } from '../../shell/page-links.ts';
import { downloadText } from '../../ui/copy.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded, RowsSkeleton } from '../../ui/states.tsx';
import { shortUtcDay } from '../../ui/time.ts';
import { counted, number } from '../../ui/words.ts';
import { CardButton, csvOf } from './card-button.tsx';
import logDays from './log-days.module.css';
import classes from './overview.module.css';
import { type ChartSelection, endOf } from './selection.ts';

interface RefusalsProps extends Pick<ChartSelection, 'hrefOf'> {
  readonly overview: Overview;
}

/**
 * Lists the reasons for rejected requests, the most common first. Each links to its documentation, to its latest request, and to the
 * requests by source.
 */
export function Refusals({
  overview: { refusals, points, bucket_seconds: bucketSeconds },
  hrefOf,
}: RefusalsProps) {
  const [first, last] = [points[0]?.at ?? '', points.at(-1)?.at ?? ''];
  const to = endOf(last, bucketSeconds);
  const most = Math.max(1, ...refusals.map(({ count }) => count));
  return (
    <Card
      title="Rejected by reason"
      aside={
        refusals.length > 0 && (
          <CardButton
            label="Download CSV: Rejected by reason"
            onClick={() => downloadText('sluice-rejected-by-reason.csv', toCsv(refusals))}
          >
            CSV
          </CardButton>
        )
      }
    >
      {refusals.length === 0 ? (
        <p className="dimmed">No rejected requests in this time.</p>
      ) : (
        <ul className="stack-small">
          {refusals.map(({ code, title, count }) => (
            <li key={code}>
              <div className="row-between">
                <a href={`/problems/${code}`}>{title}</a>
                <span className="row nowrap">
                  <Link to={latestDeliveryPath({ code, from: first, to })} aria-label={`${title}: see why`}>
                    See why
                  </Link>
                  <Link
                    to={hrefOf({ from: first, to, code })}
                    preventScrollReset
                    className="number"
                    aria-label={`${title}: ${count.toLocaleString('en')}, by source`}
                  >
                    {count.toLocaleString('en')}
                  </Link>
                </span>
              </div>
              <div className={classes.track}>
                <div className={classes.fill} style={{ width: `${(count / most) * 100}%` }} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function toCsv(refusals: Overview['refusals']): string {
  return csvOf([
    ['code', 'reason', 'count'],
    ...refusals.map(({ code, title, count }) => [code, title, count]),
  ]);
}

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
          <div className="stack-small">
            <ol className={logDays.days}>
              {items.map((day) => (
                <li key={day.from}>
                  <Day day={day} most={mostOf(items)} hrefOf={hrefOf} />
                </li>
              ))}
            </ol>
            <p className="row-between dimmed small">
              <span>
                {shortUtcDay(items[0]?.from ?? '')} to today, in UTC. {daysWith(items)}
              </span>
              <span className="line">
                <span className={logDays.refusedKey} aria-hidden="true" /> rejected
              </span>
            </p>
          </div>
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
  const words = `${shortUtcDay(from)}: ${counted(requests, 'request')}, ${number(refused)} rejected`;
  if (requests === 0) return <span className={logDays.day} role="img" aria-label={words} title={words} />;
  return (
    <Link
      to={hrefOf({ from, to })}
      preventScrollReset
      className={logDays.day}
      data-shade={Math.ceil((requests / most) * SHADES)}
      aria-label={words}
      title={words}
    >
      {refused > 0 && (
        <span
          className={logDays.refused}
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
  return `${counted(count, 'day has', 'days have')} deliveries.`;
}
