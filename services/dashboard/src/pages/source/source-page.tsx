import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { Navigate, useParams } from 'react-router';
import { isMissing } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { deliveriesPath, type SourceTab, sourcePath } from '../../shell/page-links.ts';
import { ActiveMark } from '../../ui/active-mark.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { Empty, ErrorNote, Loaded } from '../../ui/states.tsx';
import { GoneSource } from '../deliveries/gone-source.tsx';

/** Each tab is a separate chunk. */
const SetUp = onDemand(async () => (await import('./set-up.tsx')).SetUp);
const Deliveries = onDemand(async () => (await import('../deliveries/deliveries.tsx')).Deliveries);
const TestTab = onDemand(async () => (await import('./test-tab.tsx')).TestTab);
const Settings = onDemand(async () => (await import('./settings.tsx')).Settings);

// Most users open this tab, so it is fetched along with the page.
Deliveries.start().catch(() => {});

const TABS = {
  setup: 'Set up',
  deliveries: 'Recent Deliveries',
  test: 'Test',
  settings: 'Settings',
} as const satisfies Record<SourceTab, string>;
const REFRESH_MS = 5000;

export function SourcePage() {
  const { sourceId = '', tab } = useParams();
  const mayChange = useMay('admin');
  const source = useRead(ROUTES.sources.show, { params: { sourceId } }, { everyMs: REFRESH_MS });
  if (tab === undefined || !(tab in TABS)) return <Navigate to={deliveriesPath(sourceId)} replace />;
  if (isMissing(source.error)) return <GoneSource tab={tab} />;
  const { test: _, ...others } = TABS;
  return (
    <Page
      title={source.data?.name ?? 'Source'}
      mark={source.data !== undefined && <ActiveMark active={source.data.active} />}
      crumbs={[
        { label: 'Knowledge' },
        { label: 'Events', to: '/events' },
        { label: 'Webhook', to: '/events/webhook' },
      ]}
    >
      <PageTabs
        tab={tab as SourceTab}
        labels={mayChange ? TABS : others}
        pathOf={(name) => sourcePath(sourceId, name)}
      >
        {tab === 'deliveries' ? (
          <>
            {source.data === undefined && source.error !== null && (
              <ErrorNote error={source.error} onRetry={() => void source.refetch()} />
            )}
            {/* It needs only the id of the source, so it does not wait for the rest. */}
            <Deliveries key={sourceId} sourceId={sourceId} mayChange={mayChange} />
          </>
        ) : (
          <Loaded query={source}>
            {(data) => (
              // The next source may be cached: without a key its page would show the secret of this one.
              <TabOf key={data.source_id} tab={tab as SourceTab} source={data} mayChange={mayChange} />
            )}
          </Loaded>
        )}
      </PageTabs>
    </Page>
  );
}

interface TabOfProps {
  readonly tab: SourceTab;
  readonly source: SourceWithActivity;
  readonly mayChange: boolean;
}

function TabOf({ tab, source, mayChange }: TabOfProps) {
  if (tab === 'setup') return <SetUp source={source} mayChange={mayChange} />;
  if (tab === 'test' && !mayChange)
    return (
      <Empty icon="send" title="Only owners and admins can send test events">
        Ask an owner or admin of the account to do it.
      </Empty>
    );
  return tab === 'test' ? <TestTab source={source} /> : <Settings source={source} mayChange={mayChange} />;
}
