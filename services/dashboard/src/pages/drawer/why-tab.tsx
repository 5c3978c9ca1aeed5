import type { DeliveryDetail, DeliveryItem, NearEvent } from '@sluice/dashboard-api/deliveries';
import { Link } from 'react-router';
import { eventPath, mappingPath } from '../../shell/page-links.ts';
import { Chip } from '../../ui/chip.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Note } from '../../ui/states.tsx';
import { duration, utc } from '../../ui/time.ts';
import { DeliveryButton } from './delivery-button.tsx';
import classes from './drawer.module.css';

interface WhyTabProps {
  readonly why: NonNullable<DeliveryDetail['why']>;
  readonly delivery: DeliveryItem;
  readonly mayChange: boolean;
  readonly onOpen: (deliveryId: string) => void;
}

/** Shows what happened, the fix, all checks up to the one that failed, and the events that were nearly named. */
export function WhyTab({ why, delivery, mayChange, onOpen }: WhyTabProps) {
  return (
    <div className="stack">
      <div className="stack-tiny">
        <h3>{why.title}</h3>
        <p>{why.what}</p>
      </div>
      <Note tone="info">
        <strong>The fix:</strong> {why.fix}
      </Note>
      {why.checks.length > 0 && (
        <ol className={`stack-small ${classes.checks}`} aria-label="Checks, in order">
          {why.checks.map(({ name, passed }) => (
            <li key={name} className="marked" data-passed={passed}>
              <Icon name={passed ? 'check' : 'cross'} size={16} />
              <span>
                {name}
                <span className="visually-hidden">{passed ? ': passed' : ': failed'}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
      {why.links.map(({ words, delivery_id: id }) => (
        <p key={id}>
          {words}: <DeliveryButton id={id} onOpen={onOpen} />
        </p>
      ))}
      {why.near.length > 0 && <NearEvents events={why.near} />}
      {delivery.unapplied !== null && mayChange && (
        <p>
          <Link to={mappingPath(delivery)}>Open this body in Mapping</Link>
        </p>
      )}
      {delivery.code !== null && (
        <p className="dimmed small">
          Code <code>{delivery.code}</code>
        </p>
      )}
    </div>
  );
}

/** The events that a request nearly named, and how each differs. */
function NearEvents({ events }: { readonly events: readonly NearEvent[] }) {
  return (
    <section className="stack-tiny">
      <h4>Nearest events of this source</h4>
      <ul className="bullets stack-small">
        {events.map(({ event_id: id, title, starts_at: at, location, deleted, differs }) => (
          <li key={id}>
            <Link to={eventPath(id)}>{title}</Link>, {utc(at)}
            {location !== null && `, ${location}`} {deleted && <Chip tone="quiet">deleted</Chip>}
            {differs.map((sentence) => (
              <p key={sentence} className="dimmed small">
                {sentence}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

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
            <span className="marked">
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
