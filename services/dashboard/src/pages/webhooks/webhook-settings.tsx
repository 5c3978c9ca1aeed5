import { Button } from '@mantine/core';
import { rotatedSecretNote } from '@sluice/contract/account/rotated-secret-note';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { useNavigate } from 'react-router';
import { useReload, useWrite } from '../../api/queries.ts';
import { ConfirmButton } from '../../ui/dialog-parts.tsx';
import { Form } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { RotateSecret } from '../../ui/secrets.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { typedSince } from '../../ui/typed-since.ts';
import { forgetForms } from '../../ui/unsaved.ts';
import { useEdits } from '../../ui/use-edits.ts';
import { countedWaiting } from '../../ui/words.ts';
import { SecretShownOnce } from './secret-shown-once.tsx';
import { bodyOf, FIELDS_WITH_ERRORS, type WebhookDraft, WebhookFields } from './webhook-fields.tsx';

const REFRESHES = [ROUTES.webhooks.show, ROUTES.webhooks.list];

export function WebhookSettings({ webhook }: { readonly webhook: WebhookItem }) {
  return (
    <div className="stack narrow">
      <Card title="Settings">
        <ChangeForm webhook={webhook} />
      </Card>
      <Card title="Secret">
        <RotateWebhookSecret webhook={webhook} />
      </Card>
      <Card title="Pause or delete">
        <div className="row-between">
          <p className="dimmed">
            Messages of a paused subscription wait. Those of a deleted one are dropped.
          </p>
          <div className="row-between">
            {webhook.reason === null && <Pause webhookId={webhook.id} />}
            <Delete webhook={webhook} />
          </div>
        </div>
      </Card>
    </div>
  );
}

function ChangeForm({ webhook }: { readonly webhook: WebhookItem }) {
  const change = useWrite(ROUTES.webhooks.change, REFRESHES);
  const toast = useToast();
  const stored = draftOf(webhook);
  const { edited, edit, onSaved } = useEdits(stored);
  const body = changesOf(stored, edited);
  const onSuccess = () => {
    onSaved();
    toast('Subscription saved.');
  };
  return (
    <Form
      submit="Save subscription"
      change={change}
      shown={FIELDS_WITH_ERRORS}
      isDirty={Object.keys(body).length > 0}
      onSubmit={() => change.mutate({ params: { webhookId: webhook.id }, body }, { onSuccess })}
      noValidate
    >
      <WebhookFields
        draft={edited}
        onChange={(next) => edit(typedSince(edited, next))}
        error={change.error}
      />
    </Form>
  );
}

/** The body of a change: the fields that differ from the stored ones. The filter is one field. */
function changesOf(stored: WebhookDraft, draft: WebhookDraft) {
  const before = Object.entries(bodyOf(stored));
  return Object.fromEntries(
    Object.entries(bodyOf(draft)).filter(
      ([name, value], index) =>
        name !== before[index]?.[0] || JSON.stringify(value) !== JSON.stringify(before[index]?.[1]),
    ),
  );
}

function draftOf({ target_url, name, events, ordered, filter }: WebhookItem): WebhookDraft {
  return {
    ...{ target_url, name: name ?? '', events, ordered },
    source_id: filter.source_id ?? '',
    channel_id: filter.channel_id ?? '',
    stage: filter.stage ?? '',
  };
}

function Pause({ webhookId }: { readonly webhookId: string }) {
  const pause = useWrite(ROUTES.webhooks.pause, REFRESHES);
  return (
    <>
      <Button
        variant="default"
        loading={pause.isPending}
        onClick={() => pause.mutate({ params: { webhookId } })}
      >
        Pause
      </Button>
      {pause.error !== null && <ErrorNote error={pause.error} />}
    </>
  );
}

function Delete({ webhook }: { readonly webhook: WebhookItem }) {
  const remove = useWrite(ROUTES.webhooks.remove);
  const reload = useReload([ROUTES.webhooks.list]);
  const navigate = useNavigate();
  const { waiting } = webhook.health;
  const leave = () => {
    forgetForms();
    // The page goes first: it polls, and would report that what it shows is gone.
    void navigate('/settings/webhooks');
    void reload();
  };
  return (
    <ConfirmButton
      label="Delete"
      button={{ color: 'danger' }}
      title="Delete the subscription?"
      confirm="Delete subscription"
      change={remove}
      onConfirm={() => remove.mutate({ params: { webhookId: webhook.id } }, { onSuccess: leave })}
    >
      <p>
        Nothing more is sent to {webhook.target_url}.
        {waiting > 0 && ` ${countedWaiting(waiting, 'waiting message is', 'waiting messages are')} dropped.`}
      </p>
      {webhook.key !== null && <p>The key {webhook.key.name} can subscribe again at any time.</p>}
    </ConfirmButton>
  );
}

/** Rotates the secret of a subscription, and shows the new one. */
function RotateWebhookSecret({ webhook }: { readonly webhook: WebhookItem }) {
  const rotate = useWrite(ROUTES.webhooks.rotateSecret, [ROUTES.webhooks.show]);
  return (
    <RotateSecret
      secret="secret"
      signed="messages"
      note={rotatedSecretNote({ platform: webhook.client?.platform, keyId: webhook.key?.id ?? null })}
      none="none"
      rotate={rotate}
      onRotate={(overlap) => rotate.mutate({ params: { webhookId: webhook.id }, body: { overlap } })}
      made={rotate.data?.secret}
    >
      {(secret, onDone) => <SecretShownOnce secret={secret} onDone={onDone} />}
    </RotateSecret>
  );
}
