import { rotatedSecretNote } from '@sluice/contract/rotated-secret-note';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { useWrite } from '../../api/queries.ts';
import { RotateSecret } from '../../ui/rotate-secret.tsx';
import { SecretShownOnce } from './secret-shown-once.tsx';

/** Rotates the secret of a subscription, and shows the new one. */
export function RotateWebhookSecret({ webhook }: { readonly webhook: WebhookItem }) {
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
