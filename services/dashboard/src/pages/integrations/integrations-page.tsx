import { SegmentedControl } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookItem, WebhookList } from '@sluice/dashboard-api/webhooks';
import { Link, useSearchParams } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { webhookPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded, Note } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { type Column, Table } from '../../ui/table.tsx';
import layout from '../source/set-up.module.css';
import { integrationName, kindsInWords } from '../webhooks/webhook-name.ts';
import { WebhookState } from '../webhooks/webhook-state.tsx';
import { RefusedTable } from '../webhooks/webhook-table.tsx';
import { PLATFORMS } from './platforms.tsx';

const REFRESH_MS = 2000;

/** Shows what is connected and how it does, and how to connect a platform. */
export function IntegrationsPage() {
  const seesWebhooks = useMay('admin');
  return (
    <Page
      title="Integrations"
      crumbs={[{ label: 'Settings' }]}
      lead="Start workflows when a lead, a conversation or an event changes, and write leads from them."
    >
      <div className="stack">
        {seesWebhooks && <Connected />}
        {!seesWebhooks && (
          <Note tone="info">
            Only owners and admins can connect a platform. Ask one to follow these steps.
          </Note>
        )}
        <Connect />
      </div>
    </Page>
  );
}

function Connected() {
  const webhooks = useRead(ROUTES.webhooks.list, {}, { everyMs: REFRESH_MS });
  return <Loaded query={webhooks}>{(list) => <Lists list={list} />}</Loaded>;
}

function Lists({ list }: { readonly list: WebhookList }) {
  const shown = list.items.filter(({ ephemeral }) => !ephemeral);
  return (
    <>
      <Card title="Connected">
        {shown.length === 0 ? (
          <Empty icon="link" title="Nothing is connected yet">
            Choose a platform below. A workflow appears here once it is switched on.
          </Empty>
        ) : (
          <ConnectedTable webhooks={shown} />
        )}
      </Card>
      {list.refused.length > 0 && (
        <Card title="Tried to connect, and was rejected">
          <RefusedTable refused={list.refused} />
        </Card>
      )}
    </>
  );
}

/** The steps that connect a platform. The choice is in the address, so that a colleague gets the same page. */
function Connect() {
  const [search, setSearch] = useSearchParams();
  const chosen = PLATFORMS.find(({ id }) => id === search.get('with')) ?? PLATFORMS[0];
  const baseUrl = window.location.origin;
  return (
    <Card title="Connect">
      <div className="stack">
        <div className={layout.languages}>
          <SegmentedControl
            aria-label="Platform"
            data={PLATFORMS.map(({ id, label }) => ({ value: id, label }))}
            value={chosen.id}
            onChange={(id) => setSearch({ with: id }, { replace: true })}
          />
        </div>
        <p className="dimmed">{chosen.about}</p>
        <ol className="steps" aria-label={`Connect ${chosen.label}`}>
          {chosen.steps(baseUrl).map(({ title, body }) => (
            <li key={title}>
              <h3>{title}</h3>
              {body}
            </li>
          ))}
        </ol>
      </div>
    </Card>
  );
}

const COLUMNS: readonly Column<WebhookItem>[] = [
  { head: 'Integration', label: null, cell: (webhook) => <Name webhook={webhook} /> },
  { head: 'Starts at', cell: ({ events }) => kindsInWords(events) },
  { head: 'Last message', cell: ({ health }) => <Ago at={health.last_attempt_at} /> },
  { head: 'Failed, last 24 h', label: 'Failed', cell: (webhook) => <Failures webhook={webhook} /> },
  { head: 'State', className: table.whole, cell: (webhook) => <WebhookState webhook={webhook} /> },
];

/** The integrations of the account. Each row is one workflow, not one URL. */
function ConnectedTable({ webhooks }: { readonly webhooks: readonly WebhookItem[] }) {
  return (
    <Table items={webhooks} columns={COLUMNS} keyOf={({ id }) => id} rowProps={() => ({ tabIndex: -1 })} />
  );
}

function Name({ webhook }: { readonly webhook: WebhookItem }) {
  const { id, key, client, reason_detail: detail } = webhook;
  const workflowUrl = client?.workflow_url ?? null;
  return (
    <>
      <span className="strong">
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
