import { ROUTES } from '@sluice/dashboard-api/routes';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useWrite } from '../../api/queries.ts';
import { webhookPath } from '../../shell/page-links.ts';
import dialog from '../../ui/dialog.module.css';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Modal } from '../../ui/modal.tsx';
import { SecretShownOnce } from './secret-shown-once.tsx';
import { bodyOf, EMPTY_DRAFT, isAtField, WebhookFields } from './webhook-fields.tsx';

export function NewWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite(ROUTES.webhooks.create, [ROUTES.webhooks.list]);
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const navigate = useNavigate();
  const made = create.data;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ body: bodyOf(draft) });
  };
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
        <form className={dialog.body} onSubmit={onSubmit} noValidate>
          <WebhookFields draft={draft} onChange={setDraft} error={create.error} />
          <FormFoot
            submit="Add subscription"
            pending={create.isPending}
            error={isAtField(create.error) ? null : create.error}
            onCancel={onClose}
          />
        </form>
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
