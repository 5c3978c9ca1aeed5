import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookList } from '@sluice/dashboard-api/webhooks';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.ts';
import layout from '../source/set-up.module.css';
import { NewWebhookDialog } from './new-webhook-dialog.tsx';
import { RefusedTable } from './refused-table.tsx';
import { WebhookTable } from './webhook-table.tsx';

const REFRESH_MS = 2000;

export function WebhooksPage() {
  const mayChange = useMay('admin');
  const webhooks = useRead(ROUTES.webhooks.list, {}, { everyMs: REFRESH_MS, enabled: mayChange });
  const [creating, create] = useDisclosure(false);
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={create.open}>
      Add subscription
    </Button>
  );
  const isEmpty = webhooks.data?.items.length === 0;
  return (
    <Page
      title="Webhook subscriptions"
      crumbs={[{ label: 'Settings' }]}
      lead="Every change of an event, a lead or a conversation is sent to the URLs that subscribed to it, signed and with retries."
      actions={isEmpty || !mayChange ? null : add}
    >
      {mayChange ? (
        <Loaded query={webhooks}>{(list) => <Lists list={list} add={add} />}</Loaded>
      ) : (
        <Card>
          <Empty icon="send" title="Only admins see webhook subscriptions">
            Their URLs may be secret. Ask an owner or admin of the account.
          </Empty>
        </Card>
      )}
      {creating && <NewWebhookDialog onClose={create.close} />}
    </Page>
  );
}

function Lists({ list, add }: { readonly list: WebhookList; readonly add: React.ReactNode }) {
  const [withTests, setWithTests] = useState(false);
  const tests = list.items.filter(({ ephemeral }) => ephemeral).length;
  const shown = withTests ? list.items : list.items.filter(({ ephemeral }) => !ephemeral);
  return (
    <div className={layout.stack}>
      {tests > 0 && (
        <Switch
          label={`Show tests of editors (${tests})`}
          description="A test ends after ten minutes."
          checked={withTests}
          onChange={(event) => setWithTests(event.currentTarget.checked)}
        />
      )}
      <Card flush>
        {shown.length === 0 ? (
          <Empty icon="send" title="Send changes to another system" actions={add}>
            Add the URL of your server here. n8n, Zapier and your own programs subscribe with an API key that
            has the scope webhooks, and then appear in this list.
          </Empty>
        ) : (
          <WebhookTable webhooks={shown} />
        )}
      </Card>
      {list.refused.length > 0 && (
        <Card title="Rejected">
          <RefusedTable refused={list.refused} />
        </Card>
      )}
    </div>
  );
}
