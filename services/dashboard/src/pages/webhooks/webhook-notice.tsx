import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Note } from '../../ui/note.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import settings from '../source/settings.module.css';
import { Waiting } from './webhook-health.tsx';
import { isRetrying } from './webhook-state.tsx';

const REFRESHES = [ROUTES.webhooks.show, ROUTES.webhooks.list];

/** Says why a subscription sends nothing, with the button that mends it. */
export function WebhookNotice({ webhook }: { readonly webhook: WebhookItem }) {
  const resume = useWrite(ROUTES.webhooks.resume, REFRESHES);
  const adopt = useWrite(ROUTES.webhooks.adopt, REFRESHES);
  const toast = useToast();
  const { id: webhookId, reason, reason_detail: detail } = webhook;
  if (reason === null) return isRetrying(webhook) ? <Retrying webhook={webhook} /> : null;
  const isDead = reason === 'key_revoked' || reason === 'key_expired';
  const { change, label, said } = isDead
    ? { change: adopt, label: 'Adopt', said: 'The subscription belongs to the account now.' }
    : { change: resume, label: 'Resume', said: 'Resumed. What waits is sent now.' };
  return (
    <Note tone={reason === 'failing' || isDead ? 'bad' : 'warn'}>
      <div className={settings.line}>
        <span>{detail}</span>
        <Button
          size="xs"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ params: { webhookId } }, { onSuccess: () => toast(said) })}
        >
          {label}
        </Button>
      </div>
      {change.error !== null && <ErrorNote error={change.error} />}
    </Note>
  );
}

/** Says since when the receiver fails, why, and when the next message is tried. */
function Retrying({ webhook: { health } }: { readonly webhook: WebhookItem }) {
  return (
    <Note tone="warn">
      The receiver first failed <Ago at={health.retrying_since} /> and has accepted no message since.{' '}
      {health.last_failure} Retries continue automatically. Waiting: <Waiting health={health} />.
    </Note>
  );
}
