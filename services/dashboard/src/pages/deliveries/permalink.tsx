import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link, Navigate, useLocation, useParams } from 'react-router';
import { isMissing } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { useMe } from '../../shell/me.tsx';
import { deliveriesPath } from '../../shell/page-links.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded, RowsSkeleton } from '../../ui/states.tsx';

/** A newly accepted delivery reaches the log a moment later, so it is requested again. */
const TRIES = 20;
const EVERY_MS = 500;

/**
 * Handles `/deliveries/dlv_…`, and `/deliveries/req_…` for a rejected request: finds the source of a delivery and
 * opens it there.
 */
export function DeliveryPermalink() {
  const { deliveryId = '' } = useParams();
  const isNew = useLocation().state?.isNew === true;
  const [tries, setTries] = useState(isNew ? TRIES : 0);
  const detail = useRead(ROUTES.deliveries.show, { params: { deliveryId } });
  const isUnknown = isMissing(detail.error);
  const again = useEffectEvent(() => {
    setTries(tries - 1);
    void detail.refetch();
  });
  useEffect(() => {
    if (!isUnknown || tries === 0) return undefined;
    const timer = setTimeout(again, EVERY_MS);
    return () => clearTimeout(timer);
  }, [isUnknown, tries]);
  if (isUnknown && tries === 0) return <NoSuchDelivery />;
  return (
    <Page title="Delivery">
      {isUnknown ? (
        <RowsSkeleton />
      ) : (
        <Loaded query={detail}>
          {({ delivery }) => (
            <Navigate to={deliveriesPath(delivery.source_id, { delivery: delivery.delivery_id })} replace />
          )}
        </Loaded>
      )}
    </Page>
  );
}

/** Explains why an id may have no row in the log. */
function NoSuchDelivery() {
  const days = useMe().installation.delivery_retention_days;
  return (
    <Page title="Delivery not found">
      <Empty
        icon="search"
        title="No delivery of this account has this id"
        actions={
          <Button component={Link} to="/events/webhook">
            Go to sources
          </Button>
        }
      >
        Rows are kept for {days} days. The delivery may belong to another account. A request id finds rejected
        requests only. Find an accepted request by the <code>delivery_id</code> in its response. Beyond 100 a
        minute, unsigned and badly signed requests share one row.
      </Empty>
    </Page>
  );
}
