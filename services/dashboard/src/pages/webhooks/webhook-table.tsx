import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { Link } from 'react-router';
import { webhookPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { LinkedRow } from '../../ui/linked-row.tsx';
import table from '../../ui/table.module.css';
import { useTableKeys } from '../../ui/use-table-keys.ts';
import sources from '../sources/source-table.module.css';
import { SuccessRate, Waiting } from './webhook-health.tsx';
import { kindsInWords, webhookName, webhookOrigin } from './webhook-name.ts';
import { WebhookState } from './webhook-state.tsx';

export function WebhookTable({ webhooks }: { readonly webhooks: readonly WebhookItem[] }) {
  const body = useTableKeys();
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th>Subscription</th>
          <th>Events</th>
          <th>Success, last 24 h</th>
          <th>Waiting</th>
          <th>Last attempt</th>
          <th>State</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {webhooks.map((webhook) => (
          <LinkedRow key={webhook.id} to={webhookPath(webhook.id, 'messages')}>
            <td>
              <span className={sources.name}>
                <Link to={webhookPath(webhook.id, 'messages')}>{webhookName(webhook)}</Link>
              </span>
              <div className="dimmed small">{webhookOrigin(webhook)}</div>
            </td>
            <td data-label="Events">{kindsInWords(webhook.events)}</td>
            <td data-label="Success">
              <SuccessRate health={webhook.health} />
            </td>
            <td data-label="Waiting">
              <Waiting health={webhook.health} />
            </td>
            <td data-label="Last attempt">
              <Ago at={webhook.health.last_attempt_at} />
            </td>
            <td data-label="State" className={table.whole}>
              <WebhookState webhook={webhook} />
            </td>
          </LinkedRow>
        ))}
      </tbody>
    </table>
  );
}
