import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import { RotateSecret } from '../../ui/rotate-secret.tsx';
import { SecretShownOnce } from './secret-shown-once.tsx';

/** Rotates the secret of a subscription, and shows the new one. */
export function RotateWebhookSecret({ webhookId }: { readonly webhookId: string }) {
  const rotate = useWrite(ROUTES.webhooks.rotateSecret, [ROUTES.webhooks.show]);
  return (
    <RotateSecret
      secret="secret"
      signed="messages"
      none="none"
      rotate={rotate}
      onRotate={(overlap) => rotate.mutate({ params: { webhookId }, body: { overlap } })}
      made={rotate.data?.secret}
    >
      {(secret, onDone) => <SecretShownOnce secret={secret} onDone={onDone} />}
    </RotateSecret>
  );
}
