import { webhookName } from '@sluice/contract/subscription/subscription-name';
import type { RefusedWebhook, WebhookItem } from '@sluice/dashboard-api/webhooks';
import { Link } from 'react-router';
import { webhookPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import table from '../../ui/table.module.css';
import { type Column, Table } from '../../ui/table.tsx';
import { kindsInWords, webhookOrigin } from './webhook-name.ts';
import { SuccessRate, Waiting, WebhookState } from './webhook-state.tsx';

const COLUMNS: readonly Column<WebhookItem>[] = [
  {
    head: 'Subscription',
    label: null,
    cell: (webhook) => (
      <>
        <span className="strong">
          <Link to={webhookPath(webhook.id, 'messages')}>{webhookName(webhook)}</Link>
        </span>
        <div className="dimmed small">{webhookOrigin(webhook)}</div>
      </>
    ),
  },
  { head: 'Events', cell: ({ events }) => kindsInWords(events) },
  {
    head: 'Success, last 24 h',
    label: 'Success',
    cell: ({ health }) => <SuccessRate health={health} />,
  },
  { head: 'Waiting', cell: ({ health }) => <Waiting health={health} /> },
  { head: 'Last attempt', cell: ({ health }) => <Ago at={health.last_attempt_at} /> },
  { head: 'State', className: table.whole, cell: (webhook) => <WebhookState webhook={webhook} /> },
];

export function WebhookTable({ webhooks }: { readonly webhooks: readonly WebhookItem[] }) {
  return (
    <Table
      items={webhooks}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      to={({ id }) => webhookPath(id, 'messages')}
    />
  );
}

const REFUSED_COLUMNS: readonly Column<RefusedWebhook>[] = [
  {
    head: 'API key',
    label: null,
    cell: ({ key, client }) => (
      <>
        {key.name}
        {client !== null && <div className="dimmed small">{client}</div>}
      </>
    ),
  },
  { head: 'URL', cell: ({ target_url }) => target_url ?? <span className="dimmed">not read</span> },
  { head: 'Why, and what to do', label: 'Why', cell: ({ detail }) => detail },
  { head: 'Times', className: 'number', cell: ({ count }) => count },
  { head: 'Last', cell: ({ last_at }) => <Ago at={last_at} /> },
];

/** Creates that were rejected. Platforms often say nothing about them to their user. */
export function RefusedTable({ refused }: { readonly refused: readonly RefusedWebhook[] }) {
  return <Table items={refused} columns={REFUSED_COLUMNS} keyOf={({ refused_id }) => refused_id} />;
}
