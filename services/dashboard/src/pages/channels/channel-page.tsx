import type { ChannelWithActivity } from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Navigate, useParams } from 'react-router';
import { isMissing } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { type ChannelTab, channelPath } from '../../shell/page-links.ts';
import { ActiveMark } from '../../ui/active-mark.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { Loaded } from '../../ui/states.tsx';
import { GoneSource } from '../deliveries/gone-source.tsx';

/** Each tab is a separate chunk. */
const SetUp = onDemand(async () => (await import('./channel-set-up.tsx')).ChannelSetUp);
const Deliveries = onDemand(async () => (await import('../deliveries/deliveries.tsx')).Deliveries);
const Settings = onDemand(async () => (await import('./channel-settings.tsx')).ChannelSettings);

const TABS = {
  setup: 'Set up',
  deliveries: 'Recent Deliveries',
  settings: 'Settings',
} as const satisfies Record<ChannelTab, string>;
const REFRESH_MS = 5000;

export function ChannelPage() {
  const { channelId = '', tab } = useParams();
  const mayChange = useMay('admin');
  const channel = useRead(ROUTES.channels.show, { params: { channelId } }, { everyMs: REFRESH_MS });
  if (tab === undefined || !(tab in TABS)) return <Navigate to={channelPath(channelId, 'setup')} replace />;
  if (isMissing(channel.error)) return <GoneSource tab={tab} />;
  return (
    <Page
      title={channel.data?.name ?? 'Channel'}
      mark={channel.data !== undefined && <ActiveMark active={channel.data.active} />}
      crumbs={[{ label: 'Settings' }, { label: 'Channels', to: '/settings/channels' }]}
    >
      <PageTabs tab={tab as ChannelTab} labels={TABS} pathOf={(name) => channelPath(channelId, name)}>
        <Loaded query={channel}>
          {(data) => (
            // The next channel may be cached: without a key its page would show the secrets of this one.
            <TabOf key={data.channel_id} tab={tab as ChannelTab} channel={data} mayChange={mayChange} />
          )}
        </Loaded>
      </PageTabs>
    </Page>
  );
}

interface TabOfProps {
  readonly tab: ChannelTab;
  readonly channel: ChannelWithActivity;
  readonly mayChange: boolean;
}

function TabOf({ tab, channel, mayChange }: TabOfProps) {
  const { channel_id: id } = channel;
  switch (tab) {
    case 'setup':
      return <SetUp channel={channel} mayChange={mayChange} />;
    case 'settings':
      return <Settings channel={channel} mayChange={mayChange} />;
    case 'deliveries':
      return <Deliveries key={id} sourceId={id} mayChange={mayChange} />;
  }
}
