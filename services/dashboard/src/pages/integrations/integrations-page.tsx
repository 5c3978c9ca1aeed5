import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookList } from '@sluice/dashboard-api/webhooks';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import layout from '../source/set-up.module.css';
import { RefusedTable } from '../webhooks/refused-table.tsx';
import { Connect } from './connect.tsx';
import { ConnectedTable } from './connected-table.tsx';

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
      <div className={layout.stack}>
        {seesWebhooks && <Connected />}
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
      <Card title="Connected" flush>
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
