import type { ComponentType } from 'react';
import { matchPath, Navigate, Route, Routes } from 'react-router';
import { NotFound } from './pages/not-found.tsx';
import { Shell } from './shell/shell.tsx';
import { dialogOnDemand, onDemand } from './ui/on-demand.tsx';

type Load = () => Promise<ComponentType>;

/** Pages that need a session. Each is a separate chunk, loaded when it is first opened. */
const PAGES: Readonly<Record<string, Load>> = {
  '/': async () => (await import('./pages/overview/overview-page.tsx')).OverviewPage,
  '/events': async () => (await import('./pages/events/events-page.tsx')).EventsPage,
  '/events/import': async () => (await import('./pages/import/import-page.tsx')).ImportPage,
  '/events/webhook': async () => (await import('./pages/source/sources-page.tsx')).SourcesPage,
  '/events/webhook/:sourceId/:tab?': async () => (await import('./pages/source/source-page.tsx')).SourcePage,
  '/leads': async () => (await import('./pages/leads/leads-page.tsx')).LeadsPage,
  '/leads/import': async () => (await import('./pages/import/lead-import-page.tsx')).LeadImportPage,
  '/deliveries': async () => (await import('./pages/deliveries/all-deliveries-page.tsx')).AllDeliveriesPage,
  '/deliveries/:deliveryId': async () => (await import('./pages/deliveries/permalink.tsx')).DeliveryPermalink,
  '/conversations/:conversationId?': async () =>
    (await import('./pages/conversations/conversations-page.tsx')).ConversationsPage,
  '/settings/channels': async () => (await import('./pages/source/sources-page.tsx')).ChannelsPage,
  '/settings/channels/:channelId/:tab?': async () =>
    (await import('./pages/source/source-page.tsx')).ChannelPage,
  '/settings/integrations': async () =>
    (await import('./pages/integrations/integrations-page.tsx')).IntegrationsPage,
  '/settings/api-keys': async () => (await import('./pages/keys/keys-page.tsx')).KeysPage,
  '/settings/webhooks': async () => (await import('./pages/webhooks/webhooks-page.tsx')).WebhooksPage,
  '/settings/webhooks/:webhookId/:tab?': async () =>
    (await import('./pages/webhooks/webhook-page.tsx')).WebhookPage,
  '/settings/pipeline': async () => (await import('./pages/pipeline/pipeline-page.tsx')).PipelinePage,
  '/settings/members': async () => (await import('./pages/members/members-page.tsx')).MembersPage,
  '/settings/audit-log': async () => (await import('./pages/audit/audit-page.tsx')).AuditPage,
  '/settings/profile': async () => (await import('./pages/profile/profile-page.tsx')).ProfilePage,
  '/ops': async () => (await import('./pages/ops/ops-page.tsx')).OpsPage,
};

const welcome: Load = async () => (await import('./pages/welcome/welcome-page.tsx')).WelcomePage;

/** Pages that need no session. */
const GATES: Readonly<Record<string, Load>> = {
  '/sign-in': async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage,
  '/forgot-password': async () => (await import('./pages/recovery/forgot-page.tsx')).ForgotPage,
  '/reset-password': async () => (await import('./pages/recovery/reset-page.tsx')).ResetPage,
  '/welcome': welcome,
  '/invitation': welcome,
};

const MustSetUp = onDemand(async () => (await import('./pages/two-factor/must-set-up.tsx')).MustSetUp);

const SignInAgain = dialogOnDemand(
  async () => (await import('./pages/sign-in/sign-in-again.tsx')).SignInAgain,
);

const pageRoutes = routesOf(PAGES);
const gateRoutes = routesOf(GATES);

export function Pages() {
  return (
    <Routes>
      {gateRoutes}
      <Route element={<Shell mustSetUp={MustSetUp} signInAgain={SignInAgain} />}>
        {pageRoutes}
        <Route path="/settings" element={<Navigate to="/settings/api-keys" replace />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}

function routesOf(pages: Readonly<Record<string, Load>>) {
  return Object.entries(pages).map(([path, load]) => {
    const Page = onDemand(load);
    // Fetches the page in the address while the session loads, not after it.
    if (matchPath(path, window.location.pathname) !== null) Page.start().catch(() => {});
    return <Route key={path} path={path} element={<Page />} />;
  });
}
