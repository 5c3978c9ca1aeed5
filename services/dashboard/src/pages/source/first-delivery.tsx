import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { Link } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { deliveriesPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { StatusChip } from '../../ui/chip.tsx';
import { Card } from '../../ui/page.tsx';
import classes from './set-up.module.css';

const WAITING_MS = 1500;
const SEEN_MS = 5000;

interface FirstDeliveryProps {
  readonly source: Pick<SourceWithActivity, 'source_id' | 'last_delivery_at'>;
}

/** Waits for the first delivery, then shows it. */
export function FirstDelivery({ source }: FirstDeliveryProps) {
  const latest = useRead(
    ROUTES.deliveries.list,
    { query: { source_id: source.source_id, limit: 1 } },
    { everyMs: source.last_delivery_at === null ? WAITING_MS : SEEN_MS },
  );
  const delivery = latest.data?.items[0];
  return (
    <Card>
      <div className={classes.first} role="status">
        {delivery === undefined ? (
          <>
            <span className={classes.pulse} aria-hidden="true" />
            <span>
              Waiting for the first delivery… Paste the code below into a shell. This line updates
              automatically.
            </span>
          </>
        ) : (
          <>
            <StatusChip status={delivery.http_status} />
            <span>
              Last delivery <Ago at={delivery.received_at} />: {delivery.action ?? 'rejected'}{' '}
              {delivery.title !== null && <strong>{delivery.title}</strong>}
            </span>
            <Link to={deliveriesPath(source.source_id, { delivery: delivery.delivery_id })}>Open</Link>
          </>
        )}
      </div>
    </Card>
  );
}
