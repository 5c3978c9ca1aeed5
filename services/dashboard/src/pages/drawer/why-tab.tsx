import { UnstyledButton } from '@mantine/core';
import type { DeliveryDetail, DeliveryItem } from '@sluice/dashboard-api/deliveries';
import { Icon } from '../../ui/icons.tsx';
import { Note } from '../../ui/note.tsx';
import classes from './drawer.module.css';
import { NearEvents } from './near-events.tsx';

interface WhyTabProps {
  readonly why: NonNullable<DeliveryDetail['why']>;
  readonly delivery: DeliveryItem;
  readonly onOpen: (deliveryId: string) => void;
}

/** Shows what happened, the fix, all checks up to the one that failed, and the events that were nearly named. */
export function WhyTab({ why, delivery, onOpen }: WhyTabProps) {
  return (
    <div className={classes.stack}>
      <div>
        <h3 className={classes.whyTitle}>{why.title}</h3>
        <p>{why.what}</p>
      </div>
      <Note tone="info">
        <strong>The fix:</strong> {why.fix}
      </Note>
      {why.checks.length > 0 && (
        <ol className={classes.checks} aria-label="Checks, in order">
          {why.checks.map(({ name, passed }) => (
            <li key={name} data-passed={passed}>
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
          {words}:{' '}
          <UnstyledButton className={classes.link} onClick={() => onOpen(id)}>
            <code>{id}</code>
          </UnstyledButton>
        </p>
      ))}
      {why.near.length > 0 && <NearEvents events={why.near} />}
      {delivery.code !== null && (
        <p className="dimmed small">
          Code <code>{delivery.code}</code>
        </p>
      )}
    </div>
  );
}
