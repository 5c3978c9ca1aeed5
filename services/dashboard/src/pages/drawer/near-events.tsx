import type { NearEvent } from '@sluice/dashboard-api/deliveries';
import { Link } from 'react-router';
import { eventPath } from '../../shell/page-links.ts';
import { Chip } from '../../ui/chip.tsx';
import { utc } from '../../ui/time.ts';
import classes from './drawer.module.css';

/** The events that a request nearly named, and how each differs. */
export function NearEvents({ events }: { readonly events: readonly NearEvent[] }) {
  return (
    <section>
      <h4 className={classes.nearTitle}>Nearest events of this source</h4>
      <ul className={classes.near}>
        {events.map(({ event_id: id, title, starts_at: at, location, deleted, differs }) => (
          <li key={id}>
            <Link to={eventPath(id)}>{title}</Link>, {utc(at)}
            {location !== null && `, ${location}`} {deleted && <Chip tone="quiet">deleted</Chip>}
            {differs.map((sentence) => (
              <p key={sentence} className="dimmed small">
                {sentence}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
