import { webhookName } from '@sluice/contract/subscription/subscription-name';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { Navigate, useParams } from 'react-router';
import { isMissing } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { type WebhookTab, webhookPath } from '../../shell/page-links.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { Loaded } from '../../ui/states.tsx';
import { NotFound } from '../not-found.tsx';
import { WebhookNotice, WebhookState } from './webhook-state.tsx';

/** Each tab is a separate chunk. */
const WebhookMessages = onDemand(async () => (await import('./webhook-messages.tsx')).WebhookMessages);
const WebhookSetUp = onDemand(async () => (await import('./webhook-set-up.tsx')).WebhookSetUp);
const WebhookSettings = onDemand(async () => (await import('./webhook-settings.tsx')).WebhookSettings);

const TABS = {
  messages: 'Messages',
  setup: 'Set up',
  settings: 'Settings',
} as const satisfies Record<WebhookTab, string>;
const REFRESH_MS = 2000;

export function WebhookPage() {
  const { webhookId = '', tab } = useParams();
  const webhook = useRead(ROUTES.webhooks.show, { params: { webhookId } }, { everyMs: REFRESH_MS });
  if (tab === undefined || !(tab in TABS))
    return <Navigate to={webhookPath(webhookId, 'messages')} replace />;
  if (isMissing(webhook.error)) return <NotFound />;
  return (
    <Page
      title={webhook.data === undefined ? 'Webhook subscription' : webhookName(webhook.data)}
      mark={webhook.data !== undefined && <WebhookState webhook={webhook.data} />}
      crumbs={[{ label: 'Settings' }, { label: 'Webhook subscriptions', to: '/settings/webhooks' }]}
    >
      <PageTabs tab={tab as WebhookTab} labels={TABS} pathOf={(name) => webhookPath(webhookId, name)}>
        <Loaded query={webhook}>
          {(data) => (
            <div className="stack">
              <WebhookNotice webhook={data} />
              <TabOf key={data.id} tab={tab as WebhookTab} webhook={data} />
            </div>
          )}
        </Loaded>
      </PageTabs>
    </Page>
  );
}

function TabOf({ tab, webhook }: { readonly tab: WebhookTab; readonly webhook: WebhookItem }) {
  switch (tab) {
    case 'messages':
      return <WebhookMessages webhook={webhook} />;
    case 'setup':
      return <WebhookSetUp webhook={webhook} />;
    case 'settings':
      return <WebhookSettings webhook={webhook} />;
  }
}
