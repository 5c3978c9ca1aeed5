import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { Sparkline } from '../../ui/sparkline.tsx';
import classes from './source-table.module.css';

type Active = Pick<SourceWithActivity, 'activity' | 'accepted_24h' | 'refused_24h'>;

/** The last 24 hours of a source or channel, as bars and in words. */
export function Activity({ of }: { readonly of: Active }) {
  const { accepted_24h: accepted, refused_24h: refused } = of;
  const words = `${accepted.toLocaleString('en')} accepted, ${refused.toLocaleString('en')} rejected`;
  return (
    <span className={classes.activity}>
      <Sparkline
        bars={of.activity.map((hour) => ({ good: hour.accepted, bad: hour.refused }))}
        label={`Requests in the last 24 hours: ${words}`}
      />
      <span className="small dimmed">
        {words}
        {accepted + refused > 0 && ` (${percent(accepted / (accepted + refused))})`}
      </span>
    </span>
  );
}

/** Rounded down, so that 100 % means that nothing was rejected. */
function percent(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toLocaleString('en')}\u00a0%`;
}
