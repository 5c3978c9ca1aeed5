import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { duration, utc } from '../../ui/time.ts';
import classes from './drawer.module.css';

type Step = DeliveryDetail['timeline'][number]['step'];

const STEPS: Record<Step, { words: string; icon: IconName }> = {
  received: { words: 'Received', icon: 'download' },
  admitted: { words: 'Accepted: its place in the order is fixed', icon: 'check' },
  applied: { words: 'Applied and logged', icon: 'check' },
  refused: { words: 'Rejected', icon: 'cross' },
  failed: { words: 'Could not be applied', icon: 'warning' },
};

/** Shows each step, and the time since the step before it. */
export function TimelineTab({ detail }: { readonly detail: DeliveryDetail }) {
  return (
    <ol className={classes.timeline}>
      {detail.timeline.map(({ step, at }, index) => {
        const previous = detail.timeline[index - 1];
        return (
          <li key={step} data-step={step}>
            {previous !== undefined && (
              <span className={classes.gap}>+{duration(Date.parse(at) - Date.parse(previous.at))}</span>
            )}
            <span className={classes.step}>
              <span className={classes.stepIcon}>
                <Icon name={STEPS[step].icon} size={14} />
              </span>
              <span>
                {STEPS[step].words}
                <br />
                <span className="dimmed small number">{utc(at)}</span>
              </span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
