import { OWN_PRESET } from '@sluice/signature/sender/sender';
import { Navigate, useParams, useSearchParams } from 'react-router';
import { isMissing } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { endpointPath, type SourceTab } from '../../shell/page-links.ts';
import { Chip } from '../../ui/chip.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { AdminsOnly, ErrorNote, Loaded } from '../../ui/states.tsx';
import { NotFound } from '../not-found.tsx';
import { asSource, ENDPOINT_ROUTES, type Endpoint, type EndpointKind, paramsOf } from './endpoint.ts';

/** Each tab is a separate chunk. */
const SetUp = onDemand(async () => (await import('./set-up.tsx')).SetUp);
const Deliveries = onDemand(async () => (await import('../deliveries/deliveries.tsx')).Deliveries);
const TestTab = onDemand(async () => (await import('./test-tab.tsx')).TestTab);
const MappingTab = onDemand(async () => (await import('./mapping/mapping-tab.tsx')).MappingTab);
const Settings = onDemand(async () => (await import('./settings.tsx')).Settings);

// Most users open this tab, so it is fetched along with the page.
Deliveries.start().catch(() => {});

const TABS = {
  setup: 'Set up',
  deliveries: 'Recent Deliveries',
  mapping: 'Mapping',
  test: 'Test',
  settings: 'Settings',
} as const satisfies Record<SourceTab, string>;
/** What my own code sends needs no mapping. */
const { mapping: _, ...OWN_TABS } = TABS;
/** Those of a channel, and of members who may change nothing. */
const { test: __, ...FEW_TABS } = OWN_TABS;
const REFRESH_MS = 5000;

const KINDS = {
  source: {
    title: 'Source',
    first: 'deliveries',
    crumbs: [
      { label: 'Knowledge' },
      { label: 'Events', to: '/events' },
      { label: 'Webhook', to: '/events/webhook' },
    ],
  },
  channel: {
    title: 'Channel',
    first: 'setup',
    crumbs: [{ label: 'Settings' }, { label: 'Channels', to: '/settings/channels' }],
  },
} as const;

export function SourcePage() {
  const { sourceId = '' } = useParams();
  return <EndpointPage kind="source" id={sourceId} />;
}

export function ChannelPage() {
  const { channelId = '' } = useParams();
  return <EndpointPage kind="channel" id={channelId} />;
}

function EndpointPage({ kind, id }: { readonly kind: EndpointKind; readonly id: string }) {
  const { tab } = useParams();
  const { title, first, crumbs } = KINDS[kind];
  const mayChange = useMay('admin');
  const endpoint = useRead(ENDPOINT_ROUTES[kind].show, { params: paramsOf(id) }, { everyMs: REFRESH_MS });
  if (tab === undefined || !(tab in (kind === 'source' ? TABS : FEW_TABS)))
    return <Navigate to={endpointPath(id, first)} replace />;
  if (isMissing(endpoint.error)) return <GoneSource tab={tab} />;
  return (
    <Page
      title={endpoint.data?.name ?? title}
      mark={endpoint.data !== undefined && <ActiveMark active={endpoint.data.active} />}
      crumbs={crumbs}
    >
      <PageTabs
        tab={tab as SourceTab}
        labels={tabsOf(kind, endpoint.data, mayChange)}
        pathOf={(name) => endpointPath(id, name)}
      >
        {tab === 'deliveries' ? (
          <>
            {endpoint.data === undefined && endpoint.error !== null && (
              <ErrorNote error={endpoint.error} onRetry={() => void endpoint.refetch()} />
            )}
            {/* It needs only the id, so it does not wait for the rest. */}
            <Deliveries key={id} sourceId={id} mayChange={mayChange} />
          </>
        ) : (
          <Loaded query={endpoint}>
            {(data) => (
              // The next one may be cached: without a key its page would show the secret of this one.
              <TabOf key={asSource(data).source_id} tab={tab} endpoint={data} mayChange={mayChange} />
            )}
          </Loaded>
        )}
      </PageTabs>
    </Page>
  );
}

function tabsOf(kind: EndpointKind, endpoint: Endpoint | undefined, mayChange: boolean) {
  if (kind === 'channel' || !mayChange) return FEW_TABS;
  return endpoint === undefined || asSource(endpoint).sender === OWN_PRESET ? OWN_TABS : TABS;
}

function ActiveMark({ active }: { readonly active: boolean }) {
  return (
    <Chip tone={active ? 'ok' : 'warn'} icon={active ? 'check' : 'pause'}>
      {active ? 'active' : 'inactive'}
    </Chip>
  );
}

interface TabOfProps {
  readonly tab: string;
  readonly endpoint: Endpoint;
  readonly mayChange: boolean;
}

function TabOf({ tab, endpoint, mayChange }: TabOfProps) {
  if (tab === 'setup') return <SetUp endpoint={endpoint} mayChange={mayChange} />;
  if (tab === 'settings') return <Settings endpoint={endpoint} mayChange={mayChange} />;
  if (!mayChange)
    return tab === 'test' ? (
      <AdminsOnly icon="send" what="send test events" />
    ) : (
      <AdminsOnly icon="webhook" what="change the mapping" />
    );
  const Tab = tab === 'test' ? TestTab : MappingTab;
  return <Tab source={asSource(endpoint)} />;
}

/**
 * Replaces the page of a source or channel that does not exist. The deliveries of a deleted one stay in the log until they expire, so a link to one
 * leads to the log of all sources.
 */
function GoneSource({ tab }: { readonly tab: string }) {
  const delivery = useSearchParams()[0].get('delivery');
  if (tab !== 'deliveries' || delivery === null) return <NotFound />;
  return <Navigate to={`/deliveries?${new URLSearchParams({ delivery })}`} replace />;
}
