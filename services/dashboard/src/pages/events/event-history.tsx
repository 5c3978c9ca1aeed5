import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import type { DeliveryChange } from '@sluice/dashboard-api/event-changes';
import type { EventDetail } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { reading } from '../../api/queries.ts';
import { deliveriesPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { OutcomeText } from '../../ui/chip.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { ChangeOfDelivery } from './delivery-change.tsx';
import classes from './event-history.module.css';

/** Lists the deliveries of an event, newest first, each with its changes. */
export function EventHistory({ detail: { event, history } }: { readonly detail: EventDetail }) {
  const changes = useChanges(event.event_id, history);
  const of = new Map(changes.data?.items.map((change) => [change.delivery_id, change]));
  return (
    <section className="stack-small" aria-labelledby="history-title">
      <h2 id="history-title">Deliveries of this event</h2>
      {changes.error !== null && <ErrorNote error={changes.error} onRetry={() => void changes.refetch()} />}
      <ul className={classes.history}>
        {history.map((delivery) => (
          <Entry key={delivery.delivery_id} delivery={delivery} change={of.get(delivery.delivery_id)} />
        ))}
        {history.length === 0 && (
          <li className="dimmed">The delivery log has no deliveries of this event.</li>
        )}
      </ul>
    </section>
  );
}

/** Reloads the changes only when the history has changed, because the API reads bodies for them. */
function useChanges(eventId: string, history: readonly DeliveryItem[]) {
  const { queryKey, queryFn } = reading(ROUTES.events.changes, { params: { eventId } });
  const seen = history.map(({ delivery_id, outcome }) => `${delivery_id} ${outcome}`);
  return useQuery({
    queryKey: [...queryKey, seen],
    queryFn,
    enabled: history.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

interface EntryProps {
  readonly delivery: DeliveryItem;
  /** Undefined while loading. */
  readonly change: DeliveryChange | undefined;
}

function Entry({ delivery, change }: EntryProps) {
  return (
    <li data-delivery={delivery.delivery_id}>
      <div className={classes.delivery}>
        <Link to={deliveriesPath(delivery.source_id, { delivery: delivery.delivery_id })}>
          {delivery.action}
        </Link>
        <OutcomeText outcome={delivery.outcome} />
        <Ago at={delivery.received_at} inLog />
        <code className="dimmed ellipsis">{delivery.delivery_id}</code>
      </div>
      {change !== undefined && <ChangeOfDelivery change={change} delivery={delivery} />}
    </li>
  );
}
