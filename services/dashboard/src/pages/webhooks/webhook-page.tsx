import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { Navigate, useParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { type WebhookTab, webhookPath } from '../../shell/page-links.ts';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { Loaded } from '../../ui/states.tsx';
import { NotFound } from '../not-found.tsx';
import stacked from '../source/set-up.module.css';
import { WebhookMessages } from './webhook-messages.tsx';
import { webhookName } from './webhook-name.ts';
import { WebhookNotice } from './webhook-notice.tsx';
import { WebhookSetUp } from './webhook-set-up.tsx';
import { WebhookSettings } from './webhook-settings.tsx';
import { WebhookState } from './webhook-state.tsx';

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
  if (webhook.error instanceof ApiError && webhook.error.status === 404) return <NotFound />;
  return (
    <Page
      title={webhook.data === undefined ? 'Webhook subscription' : webhookName(webhook.data)}
      mark={webhook.data !== undefined && <WebhookState webhook={webhook.data} />}
      crumbs={[{ label: 'Settings' }, { label: 'Webhook subscriptions', to: '/settings/webhooks' }]}
    >
      <PageTabs tab={tab as WebhookTab} labels={TABS} pathOf={(name) => webhookPath(webhookId, name)}>
        <Loaded query={webhook}>
          {(data) => (
            <div className={stacked.stack}>
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
