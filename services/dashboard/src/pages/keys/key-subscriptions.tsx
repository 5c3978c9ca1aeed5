import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { webhookName } from '../webhooks/webhook-name.ts';
import classes from './key-table.module.css';

interface KeySubscriptionsProps {
  readonly keyId: string;
  /** The effect on them, above their names. */
  readonly children: (count: string) => ReactNode;
}

/** Lists the webhook subscriptions of a key that works, before it is rotated or revoked. Nothing if it has none. */
export function KeySubscriptions({ keyId, children }: KeySubscriptionsProps) {
  const webhooks = useRead(ROUTES.webhooks.list, {});
  if (webhooks.error !== null) return <ErrorNote error={webhooks.error} />;
  if (webhooks.data === undefined) return <p className="dimmed">Looking for its webhook subscriptions…</p>;
  const own = webhooks.data.items.filter(({ key }: WebhookItem) => key?.id === keyId);
  if (own.length === 0) return null;
  return (
    <>
      {children(own.length === 1 ? '1 webhook subscription' : `${own.length} webhook subscriptions`)}
      <ul className={classes.subscriptions}>
        {own.map((one) => (
          <li key={one.id}>
            <bdi>{webhookName(one)}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
