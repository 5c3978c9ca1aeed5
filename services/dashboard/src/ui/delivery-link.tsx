import { Link } from 'react-router';

/** A delivery that was only just accepted, by its id: its page waits until it is in the log. */
export function NewDeliveryLink({ deliveryId }: { readonly deliveryId: string }) {
  return (
    <Link to={`/deliveries/${deliveryId}`} state={{ isNew: true }}>
      <code>{deliveryId}</code>
    </Link>
  );
}
