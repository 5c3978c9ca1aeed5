import type { Overview } from '@sluice/dashboard-api/overview';
import { Card } from '../../ui/page.tsx';
import classes from './overview.module.css';

/** Shows how much of the plan is used. At the limit, upserts get 403. */
export function Plan({ plan }: { readonly plan: Overview['plan'] }) {
  const used = plan.used.toLocaleString('en');
  return (
    <Card title={`Plan: ${plan.name}`}>
      {plan.limit === null ? (
        <p>
          {used} upserts accepted this month. <span className="dimmed">No limit.</span>
        </p>
      ) : (
        <>
          <div className={classes.refusalLine}>
            <span>
              {used} of {plan.limit.toLocaleString('en')} upserts this month
            </span>
            <span className="number">{Math.floor((plan.used / plan.limit) * 100)} %</span>
          </div>
          <div className={classes.track}>
            <div
              className={classes.fill}
              data-tone="accent"
              style={{ width: `${Math.min(100, (plan.used / plan.limit) * 100)}%` }}
            />
          </div>
          <p className="dimmed small">
            At the limit, upserts get 403 until the month ends (UTC). Cancel and delete still work.
          </p>
        </>
      )}
    </Card>
  );
}
