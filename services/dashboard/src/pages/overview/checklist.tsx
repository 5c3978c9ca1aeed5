import type { Overview } from '@sluice/dashboard-api/overview';
import { Link } from 'react-router';
import { Icon } from '../../ui/icons.tsx';
import { Card } from '../../ui/page.tsx';
import classes from './overview.module.css';

const STEPS = [
  {
    name: 'source',
    title: 'Add a source',
    text: 'It gets an endpoint URL and a signing secret.',
    to: '/events/webhook',
    link: 'Webhook',
  },
  {
    name: 'delivery',
    title: 'Send a signed request',
    text: 'Use the Test tab, or paste the code.',
    to: '/events/webhook',
    link: 'Choose a source',
  },
  {
    name: 'event',
    title: 'See the first event',
    text: 'The event appears as soon as it is applied.',
    to: '/events',
    link: 'Events',
  },
  {
    name: 'api_key',
    title: 'Create an API key',
    text: 'For an automation platform or your own backend.',
    to: '/settings/api-keys',
    link: 'API Keys',
  },
] as const;

/** Lists the first steps. Each ticks automatically; the list disappears when all are done. */
export function Checklist({ checklist }: { readonly checklist: Overview['checklist'] }) {
  const done = STEPS.filter(({ name }) => checklist[name]).length;
  if (done === STEPS.length) return null;
  return (
    <Card
      title="First steps"
      aside={<span className="dimmed small">{`${done} of ${STEPS.length} done`}</span>}
    >
      <ol className={classes.steps}>
        {STEPS.map(({ name, title, text, to, link }, index) => (
          <li key={name} className={classes.step} data-done={checklist[name]}>
            <span className={classes.mark}>
              {checklist[name] ? <Icon name="check" size={14} /> : index + 1}
            </span>
            <span className={classes.stepText}>
              <strong>{title}</strong>
              <span className="dimmed small">{text}</span>
              {checklist[name] ? (
                <span className="visually-hidden">done</span>
              ) : (
                <Link to={to} className="small">
                  {link}
                </Link>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
