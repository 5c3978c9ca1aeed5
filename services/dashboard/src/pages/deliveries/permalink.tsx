import { ROUTES } from '@sluice/contract/dashboard/routes';
import { Navigate, useParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { deliveriesPath } from '../../shell/page-links.ts';
import { Loaded } from '../../ui/states.tsx';
import { NotFound } from '../not-found.tsx';

/** `/deliveries/dlv_…`: finds the source of a delivery and opens it there. */
export function DeliveryPermalink() {
  const { deliveryId = '' } = useParams();
  const detail = useRead(ROUTES.deliveries.show, { params: { deliveryId } });
  if (detail.error instanceof ApiError && detail.error.status === 404) return <NotFound />;
  return (
    <Loaded query={detail}>
      {({ delivery }) => (
        <Navigate to={deliveriesPath(delivery.source_id, { delivery: delivery.delivery_id })} replace />
      )}
    </Loaded>
  );
}
