import type { Attention as Need } from '@sluice/dashboard-api/overview';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMay } from '../../shell/me.tsx';
import { deliveriesPath, endpointPath, LATEST_DELIVERY, webhookPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card } from '../../ui/page.tsx';
import { duration } from '../../ui/time.ts';
import { counted, countedWaiting } from '../../ui/words.ts';
import classes from './overview.module.css';

/** Lists problems, each with a link to where it can be fixed. Renders nothing if there are none. */
export function Attention({ needs }: { readonly needs: readonly Need[] }) {
  const mayOperate = useMay('owner');
  if (needs.length === 0) return null;
  return (
    <Card title="What needs attention">
      <ul className="stack-small">
        {needs.map((need) => {
          const words = wordsOf(need);
          if (words === null) return null;
          const { what, to, link } = words;
          return (
            <li key={keyOf(need)} className={`marked ${classes.need}`}>
              <Icon name="warning" />
              <span>
                {what} {(to !== OPS || mayOperate) && <Link to={to}>{link}</Link>}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

const OPS = '/ops';

interface Words {
  readonly what: ReactNode;
  readonly to: string;
  readonly link: string;
}

/** null: a newer API server has found a problem that this page does not know. */
function wordsOf(need: Need): Words | null {
  switch (need.kind) {
    case 'no_worker':
      return {
        what: 'No worker is running. Accepted requests wait until one starts.',
        to: OPS,
        link: 'See the replicas',
      };
    case 'no_dispatcher':
      return {
        what: `No dispatcher reports that it is ready. ${undispatched(need.overdue_ms)}`,
        to: OPS,
        link: 'See the replicas',
      };
    case 'proxy_ignored':
      return {
        what: (
          <>
            Requests carry <code>X-Forwarded-For</code>, but <code>TRUST_PROXY</code> is false, so all clients
            behind a proxy count as one address. Set it to the number of your proxies, or to 0 if you have
            none.
          </>
        ),
        to: OPS,
        link: 'See the replicas',
      };
    case 'dead_letters':
      return {
        what: unapplied(need),
        to: OPS,
        link: 'Retry or drop',
      };
    case 'refusals':
      return refusals(need);
    case 'key_expires':
      return {
        what: (
          <>
            The API key <strong>{need.name}</strong> (<code>{need.prefix}…</code>) expires{' '}
            <Ago at={need.expires_at} />.
          </>
        ),
        to: '/settings/api-keys',
        link: 'API Keys',
      };
    case 'never_delivered':
      return {
        what: (
          <>
            <strong>{need.name}</strong> was added <Ago at={need.created_at} /> and has received no requests
            yet.
          </>
        ),
        to: endpointPath(need.source_id, 'setup'),
        link: 'Set up the sender',
      };
    case 'subscription_paused':
      return {
        what: (
          <>
            The webhook subscription <strong>{need.name}</strong> {PAUSED[need.reason]}{' '}
            <Ago at={need.paused_at} />. {WAITS[need.reason]}
          </>
        ),
        to: webhookPath(need.subscription_id, 'messages'),
        link: need.reason === 'failing' ? 'See why' : 'Adopt or delete it',
      };
    case 'subscription_retrying':
      return {
        what: (
          <>
            The receiver of the webhook subscription <strong>{need.name}</strong> first failed{' '}
            <Ago at={need.since} /> and has accepted no message since. {waits(need.waiting)}
          </>
        ),
        to: webhookPath(need.subscription_id, 'messages'),
        link: 'See why',
      };
    case 'subscriptions_rejected':
      return {
        what: `${rejected(need)} ${need.detail}`,
        to: '/settings/webhooks',
        link: 'See all',
      };
    default:
      need satisfies never;
      return null;
  }
}

function unapplied({ count, partial = false }: Extract<Need, { kind: 'dead_letters' }>): string {
  if (partial && count === 0)
    return 'This installation has many dead letters. Only the oldest were searched, so this account may have some.';
  const actions = counted(count, 'accepted action');
  return `${partial ? `At least ${actions}` : actions} could not be applied.`;
}

function undispatched(overdueMs: number | null): string {
  if (overdueMs === null) return 'Messages to receivers wait until one is.';
  return `Messages to receivers have waited for ${duration(overdueMs)}.`;
}

function waits(count: number): string {
  return `${countedWaiting(count, 'message waits and is', 'messages wait and are')} retried.`;
}

const PAUSED = {
  failing: 'was marked as failing',
  key_revoked: 'was paused because its API key was revoked',
  key_expired: 'was paused because its API key expired',
} as const;

const WAITS = {
  failing: 'Its messages wait. The first one that the receiver accepts sends the rest.',
  key_revoked: 'It gets no messages.',
  key_expired: 'It gets no messages.',
} as const;

function rejected({ count, client }: Extract<Need, { kind: 'subscriptions_rejected' }>): string {
  const what = counted(count, 'webhook subscription was', 'webhook subscriptions were');
  return `${what} rejected in the last 24 hours. The latest${client === null ? '' : `, by ${client}`}:`;
}

function refusals({
  source_id: id,
  name,
  code,
  title,
  count,
  secret_rotated_at: rotatedAt,
  old_secret_count: withOld,
}: Refusals): Words {
  return {
    what: (
      <>
        <strong>{name}</strong>: {counted(count, 'request was', 'requests were')} rejected in the last hour
        with “{title}”.
        {code === 'signature_invalid' && rotatedAt !== null && (
          <>
            {' '}
            Its secret was rotated <Ago at={rotatedAt} />.{' '}
            {withOld > 0
              ? `${counted(withOld, 'of them was', 'of them were')} signed with the old one. Give the sender the new one.`
              : 'Does the sender have the new one?'}
          </>
        )}
      </>
    ),
    to: deliveriesPath(id, { code, delivery: LATEST_DELIVERY }),
    link: 'See why',
  };
}

type Refusals = Extract<Need, { kind: 'refusals' }>;

function keyOf(need: Need): string {
  if (need.kind === 'key_expires') return need.key_id;
  if ('subscription_id' in need) return need.subscription_id;
  return 'source_id' in need ? `${need.kind} ${need.source_id}` : need.kind;
}
