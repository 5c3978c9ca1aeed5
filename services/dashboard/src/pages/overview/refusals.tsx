import type { Overview } from '@sluice/contract/dashboard/overview';
import { Card } from '../../ui/page.tsx';
import classes from './overview.module.css';

export function Refusals({ refusals }: { readonly refusals: Overview['refusals'] }) {
  const most = Math.max(1, ...refusals.map(({ count }) => count));
  return (
    <Card title="Refused by reason">
      {refusals.length === 0 ? (
        <p className="dimmed">Nothing was refused in this time.</p>
      ) : (
        <ul className={classes.refusals}>
          {refusals.map(({ code, title, count }) => (
            <li key={code}>
              <div className={classes.refusalLine}>
                <span>{title}</span>
                <span className="number">{count.toLocaleString('en')}</span>
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
