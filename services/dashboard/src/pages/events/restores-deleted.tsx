import type { EventDetail } from '@sluice/dashboard-api/events';
import { Link } from 'react-router';
import { Ago } from '../../ui/ago.tsx';

/** Says which content a deleted event gets back. `from` is undefined if the API server is of an earlier version. */
export function RestoresDeleted({ from }: { readonly from: EventDetail['restores_from'] }) {
  if (from === undefined)
    return (
      <p>
        The event gets the content of its last upsert that the delivery log still has. Subscribers are told.
      </p>
    );
  if (from === null)
    return <p>No delivery in the log has the content of this event. Send it again, or import it again.</p>;
  return (
    <>
      <p>
        The event gets the content of delivery{' '}
        <Link to={`/deliveries/${from.delivery_id}`}>
          <code>{from.delivery_id}</code>
        </Link>
        , received <Ago at={from.received_at} />. Subscribers are told, as after every change.
      </p>
      {!from.is_latest && (
        <p>
          <strong>The event was changed after that delivery.</strong> The log does not have the body of those
          changes, so they are not restored. Edits in the dashboard and imports store no body.
        </p>
      )}
    </>
  );
}
