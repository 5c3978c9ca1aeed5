import { ROUTES } from '@sluice/dashboard-api/routes';
import { useMemo } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Page } from '../../ui/page.tsx';
import { Deliveries } from './deliveries.tsx';
import type { Names } from './delivery-row.tsx';

/** The delivery log of all sources and channels. */
export function AllDeliveriesPage() {
  const sources = useRead(ROUTES.sources.list, {});
  const channels = useRead(ROUTES.channels.list, {});
  const mayChange = useMay('admin');
  const names: Names = useMemo(
    () =>
      new Map([
        ...(sources.data?.items ?? []).map(({ source_id, name }) => [source_id, name] as const),
        ...(channels.data?.items ?? []).map(({ channel_id, name }) => [channel_id, name] as const),
      ]),
    [sources.data, channels.data],
  );
  return (
    <Page title="Deliveries" lead="Every request to the endpoints of all sources and channels.">
      <Deliveries sourceId="" mayChange={mayChange} names={names} />
    </Page>
  );
}
