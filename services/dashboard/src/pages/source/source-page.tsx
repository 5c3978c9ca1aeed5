import { Tabs } from '@mantine/core';
import { ROUTES } from '@sluice/contract/dashboard/routes';
import { lazy, Suspense } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded, RowsSkeleton } from '../../ui/states.tsx';
import { NotFound } from '../not-found.tsx';
import classes from './source-page.module.css';

/** Each tab is a chunk of its own. */
const SetUp = lazy(async () => ({ default: (await import('./set-up.tsx')).SetUp }));
const Deliveries = lazy(async () => ({ default: (await import('../deliveries/deliveries.tsx')).Deliveries }));
const TestTab = lazy(async () => ({ default: (await import('./test-tab.tsx')).TestTab }));
const Settings = lazy(async () => ({ default: (await import('./settings.tsx')).Settings }));

const TABS = {
  setup: 'Set up',
  deliveries: 'Recent Deliveries',
  test: 'Test',
  settings: 'Settings',
} as const;
type Tab = keyof typeof TABS;
const REFRESH_MS = 5000;

export function SourcePage() {
  const { sourceId = '', tab } = useParams();
  const navigate = useNavigate();
  const mayChange = useMay('admin');
  const source = useRead(ROUTES.sources.show, { params: { sourceId } }, { everyMs: REFRESH_MS });
  if (tab === undefined || !(tab in TABS))
    return <Navigate to={`/events/webhook/${sourceId}/deliveries`} replace />;
  if (source.error instanceof ApiError && source.error.status === 404) return <NotFound />;
  const tabs = (Object.keys(TABS) as Tab[]).filter((name) => mayChange || name !== 'test');
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
      <Tabs
        value={tab}
        onChange={(name) => void navigate(`/events/webhook/${sourceId}/${name}`)}
        keepMounted={false}
        activateTabWithKeyboard={false}
      >
        <Tabs.List className={classes.tabs}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {TABS[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.panel}>
          <Suspense fallback={<RowsSkeleton />}>
            <Loaded query={source}>
              {(data) => {
                switch (tab as Tab) {
                  case 'setup':
                    return <SetUp source={data} mayChange={mayChange} />;
                  case 'deliveries':
                    return <Deliveries source={data} mayChange={mayChange} />;
                  case 'test':
                    return <TestTab source={data} />;
                  case 'settings':
                    return <Settings source={data} mayChange={mayChange} />;
                }
              }}
            </Loaded>
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function ActiveMark({ active }: { readonly active: boolean }) {
  return active ? (
    <Chip tone="ok" icon="check">
      active
    </Chip>
  ) : (
    <Chip tone="warn" icon="pause">
      inactive
    </Chip>
  );
}
