import type { Overview } from '@sluice/dashboard-api/overview';
import { Link } from 'react-router';
import { latestDeliveryPath } from '../../shell/page-links.ts';
import { downloadText } from '../../ui/clipboard.ts';
import { Card } from '../../ui/page.tsx';
import { CardButton } from './card-button.tsx';
import { csvOf } from './chart-csv.ts';
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
        <ul className={classes.refusals}>
          {refusals.map(({ code, title, count }) => (
            <li key={code}>
              <div className={classes.refusalLine}>
                <a href={`/problems/${code}`}>{title}</a>
                <span className={classes.refusalLinks}>
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
