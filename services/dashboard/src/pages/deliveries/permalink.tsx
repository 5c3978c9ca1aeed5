import { ROUTES } from '@sluice/dashboard-api/routes';
import { useEffect, useEffectEvent, useState } from 'react';
import { Navigate, useLocation, useParams } from 'react-router';
import { isMissing } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { deliveriesPath } from '../../shell/page-links.ts';
import { Page } from '../../ui/page.tsx';
import { Loaded, RowsSkeleton } from '../../ui/states.tsx';
import { NoSuchDelivery } from './no-such-delivery.tsx';

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
