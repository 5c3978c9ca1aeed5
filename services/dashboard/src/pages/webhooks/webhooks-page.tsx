import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookList } from '@sluice/dashboard-api/webhooks';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { webhookPath } from '../../shell/page-links.ts';
import { Form } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.ts';
import { SecretShownOnce } from './secret-shown-once.tsx';
import { bodyOf, EMPTY_DRAFT, FIELDS_WITH_ERRORS, WebhookFields } from './webhook-fields.tsx';
import { RefusedTable, WebhookTable } from './webhook-table.tsx';

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
    <div className="stack">
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

function NewWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite(ROUTES.webhooks.create, [ROUTES.webhooks.list]);
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const navigate = useNavigate();
  const made = create.data;
  return (
    <Modal
      opened
      onClose={onClose}
      unsaved={made === undefined && draft !== EMPTY_DRAFT}
      title={made === undefined ? 'Add a webhook subscription' : 'The subscription is active'}
      size="lg"
      closable={made === undefined && !create.isPending}
    >
      {made === undefined ? (
        <Form
          submit="Add subscription"
          change={create}
          shown={FIELDS_WITH_ERRORS}
          onSubmit={() => create.mutate({ body: bodyOf(draft) })}
          onCancel={onClose}
          noValidate
        >
          <WebhookFields draft={draft} onChange={setDraft} error={create.error} />
        </Form>
      ) : (
        <SecretShownOnce
          secret={made.secret}
          done="Set up the receiver"
          // The entry that kept the secret on the page leads to the next one.
          onDone={() => void navigate(webhookPath(made.webhook.id, 'setup'), { replace: true })}
        />
      )}
    </Modal>
  );
}
