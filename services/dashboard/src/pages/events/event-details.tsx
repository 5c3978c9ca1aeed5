import type { EventDetail, EventItem } from '@sluice/contract/dashboard/events';
import { Link } from 'react-router';
import { useMay } from '../../shell/me.tsx';
import { Ago } from '../../ui/ago.tsx';
import { OutcomeText } from '../../ui/chip.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { localTime, utc } from '../../ui/time.ts';
import drawer from '../drawer/drawer.module.css';
import { EventActions } from './event-actions.tsx';
import { ORIGIN_WORDS } from './event-query.ts';
import { EventStatusChip } from './event-table.tsx';
import classes from './events.module.css';

export function EventDetails({ detail }: { readonly detail: EventDetail }) {
  const { event, history } = detail;
  const mayChange = useMay('admin');
  return (
    <div className={drawer.stack}>
      <div className={drawer.summary}>
        <strong className={drawer.title}>{event.title}</strong>
        <EventStatusChip event={event} />
      </div>
      <dl className={drawer.facts}>
        {factsOf(event).map(([name, value]) => (
          <div key={name} className={drawer.pair}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <dt>Identity</dt>
        <dd>
          <span className="dimmed small">
            Title, start and location, exactly as cancel and delete must name them
          </span>
          <CopyButton text={identityOf(event)} what="identity as JSON" />
        </dd>
      </dl>
      {mayChange && event.deleted_at === null && <EventActions event={event} />}
      <section>
        <h2 className={classes.historyTitle}>Deliveries that touched it</h2>
        <ul className={classes.history}>
          {history.map((delivery) => (
            <li key={delivery.delivery_id}>
              <Link to={`/events/webhook/${delivery.source_id}/deliveries?delivery=${delivery.delivery_id}`}>
                {delivery.action}
              </Link>
              <OutcomeText outcome={delivery.outcome} />
              <Ago at={delivery.received_at} />
              <code className="dimmed ellipsis">{delivery.delivery_id}</code>
            </li>
          ))}
          {history.length === 0 && <li className="dimmed">None is left in the delivery log.</li>}
        </ul>
      </section>
    </div>
  );
}

function factsOf(event: EventItem): [string, string][] {
  const rows: [string, string | null][] = [
    ['Starts', `${localTime(event.starts_at)} · ${utc(event.starts_at)}`],
    ['Ends', event.ends_at === null ? null : `${localTime(event.ends_at)} · ${utc(event.ends_at)}`],
    ['Location', event.location],
    ['Description', event.description],
    ['URL', event.url],
    ['Price', event.price],
    ['Recurring', event.recurring],
    ['Source', event.source_name],
    ['Origin', event.origin === null ? null : ORIGIN_WORDS[event.origin]],
    ['Event id', event.event_id],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== '');
}

function identityOf({ title, starts_at, location }: EventItem): string {
  return JSON.stringify({ title, starts_at, ...(location === null || location === '' ? {} : { location }) });
}
