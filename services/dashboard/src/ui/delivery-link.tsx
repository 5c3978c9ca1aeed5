import { Link } from 'react-router';

/** Links to a newly accepted delivery. Its page waits until it is in the log. */
export function NewDeliveryLink({ deliveryId }: { readonly deliveryId: string }) {
  return (
    <Link to={`/deliveries/${deliveryId}`} state={{ isNew: true }}>
      <code>{deliveryId}</code>
    </Link>
  );
}
