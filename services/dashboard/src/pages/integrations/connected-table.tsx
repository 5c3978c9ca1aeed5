import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { Link } from 'react-router';
import { webhookPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import table from '../../ui/table.module.css';
import { useTableKeys } from '../../ui/use-table-keys.ts';
import sources from '../sources/source-table.module.css';
import { kindsInWords } from '../webhooks/webhook-name.ts';
import { WebhookState } from '../webhooks/webhook-state.tsx';
import { integrationName } from './integration-name.ts';

/** The integrations of the account. Each row is one workflow, not one URL. */
export function ConnectedTable({ webhooks }: { readonly webhooks: readonly WebhookItem[] }) {
  const body = useTableKeys();
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th>Integration</th>
          <th>Starts at</th>
          <th>Last message</th>
          <th>Failed, last 24 h</th>
          <th>State</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {webhooks.map((webhook) => (
          <tr key={webhook.id} tabIndex={-1}>
            <td>
              <Name webhook={webhook} />
            </td>
            <td data-label="Starts at">{kindsInWords(webhook.events)}</td>
            <td data-label="Last message">
              <Ago at={webhook.health.last_attempt_at} />
            </td>
            <td data-label="Failed">
              <Failures webhook={webhook} />
            </td>
            <td data-label="State" className={table.whole}>
              <WebhookState webhook={webhook} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Name({ webhook }: { readonly webhook: WebhookItem }) {
  const { id, key, client, reason_detail: detail } = webhook;
  const workflowUrl = client?.workflow_url ?? null;
  return (
    <>
      <span className={sources.name}>
        <Link to={webhookPath(id, 'messages')}>{integrationName(webhook)}</Link>
      </span>
      <div className="dimmed small">
        {key === null ? 'by an admin' : `with the key ${key.name}`}
        {workflowUrl !== null && (
          <>
            {', '}
            <a href={workflowUrl} target="_blank" rel="noreferrer">
              open in {new URL(workflowUrl).host}
            </a>
          </>
        )}
      </div>
      {detail !== null && <div className="small">{detail}</div>}
    </>
  );
}

/** How many attempts failed, and what the receiver did at the latest one. */
function Failures({ webhook: { health } }: { readonly webhook: WebhookItem }) {
  if (health.failed === 0) return <span className="dimmed">none</span>;
  return (
    <div>
      <Chip tone="bad" icon="warning">
        <span className="number">{health.failed.toLocaleString('en')}</span>
      </Chip>
      <div className="small">{health.last_failure}</div>
    </div>
  );
}
