import { Button, UnstyledButton } from '@mantine/core';
import type { DeliveryOrigin } from '@sluice/contract/delivery';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import { Link } from 'react-router';
import { useMe } from '../../shell/me.tsx';
import { eventPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { Chip, OutcomeText, StatusChip } from '../../ui/chip.tsx';
import { CopyButton, CopyTextButton } from '../../ui/copy-button.tsx';
import { shortDay, utcAndLocal } from '../../ui/time.ts';
import classes from './drawer.module.css';
import { ReprocessButton } from './reprocess-button.tsx';

/** The creator of a delivery that no sender sent. */
const CREATED_BY: Readonly<Record<DeliveryOrigin, string | null>> = {
  webhook: null,
  dashboard: 'an admin in the dashboard',
  csv: 'an import of a CSV file',
  ical: 'an import of an iCalendar file or feed',
};

interface DeliveryHeadProps {
  readonly detail: DeliveryDetail;
  readonly mayChange: boolean;
  readonly onOpen: (deliveryId: string) => void;
}

export function DeliveryHead({ detail, mayChange, onOpen }: DeliveryHeadProps) {
  const { delivery } = detail;
  const { delivery_retention_days: days } = useMe().installation;
  const createdBy = CREATED_BY[delivery.origin];
  const links = [
    ...(delivery.duplicate_of === null ? [] : [{ words: 'Duplicate of', id: delivery.duplicate_of }]),
    ...(delivery.reprocess_of === null ? [] : [{ words: 'Reprocessed from', id: delivery.reprocess_of }]),
    ...detail.reprocessed_as.map((id) => ({ words: 'Reprocessed as', id })),
  ];
  return (
    <>
      <div className={classes.summary}>
        <StatusChip status={delivery.http_status} />
        <OutcomeText outcome={delivery.outcome} />
        {delivery.count > 1 && <Chip tone="warn">×{delivery.count.toLocaleString('en')}</Chip>}
        <strong className={classes.title}>
          {delivery.action} {delivery.title}
        </strong>
      </div>
      <dl className={classes.facts}>
        <dt>Received</dt>
        <dd>
          <Ago at={delivery.received_at} />
          <span className="dimmed small">{utcAndLocal(delivery.received_at)}</span>
        </dd>
        {createdBy !== null && (
          <>
            <dt>Created by</dt>
            <dd>{createdBy}</dd>
          </>
        )}
        <dt>Delivery id</dt>
        <dd>
          <code>{delivery.delivery_id}</code>
          <CopyButton text={delivery.delivery_id} what="delivery id" />
        </dd>
        {delivery.request_id !== null && (
          <>
            <dt>Request id</dt>
            <dd>
              <code>{delivery.request_id}</code>
              <CopyButton text={delivery.request_id} what="request id" />
            </dd>
          </>
        )}
        {links.map(({ words, id }) => (
          <div key={id} className={classes.pair}>
            <dt>{words}</dt>
            <dd>
              <UnstyledButton className={classes.link} onClick={() => onOpen(id)}>
                <code>{id}</code>
              </UnstyledButton>
            </dd>
          </div>
        ))}
        <dt>Kept</dt>
        <dd>
          {days} days, until {shortDay(detail.leaves_at)}
        </dd>
      </dl>
      <div className={classes.buttons}>
        <CopyTextButton text={`${window.location.origin}/deliveries/${delivery.delivery_id}`} what="link" />
        {delivery.event_id !== null && delivery.outcome !== 'not_found' && (
          <Button component={Link} to={eventPath(delivery.event_id)} variant="default">
            Open event
          </Button>
        )}
        {mayChange && <ReprocessButton detail={detail} />}
      </div>
    </>
  );
}
