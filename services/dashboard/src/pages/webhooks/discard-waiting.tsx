import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useToast } from '../../ui/toaster.tsx';
import settings from '../source/settings.module.css';

/** Ends what waits for a receiver as discarded. Its dialog stays if nothing waits any more, because its own request may be why. */
export function DiscardWaiting({ webhook }: { readonly webhook: WebhookItem }) {
  const [asked, ask] = useDisclosure();
  const discard = useWrite(ROUTES.webhooks.discard, [ROUTES.webhooks.messages, ROUTES.webhooks.show]);
  const toast = useToast();
  const waiting = webhook.health.waiting.toLocaleString('en');
  return (
    <>
      {webhook.health.waiting > 0 && (
        <div className={settings.line}>
          <span className="dimmed">
            {webhook.health.waiting === 1 ? '1 message waits.' : `${waiting} messages wait.`}
          </span>
          <Button variant="default" color="danger" onClick={ask.open}>
            Discard
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={asked}
        title="Discard what waits?"
        confirm="Discard messages"
        pending={discard.isPending}
        error={discard.error}
        onClose={ask.close}
        onConfirm={() =>
          discard.mutate(
            { params: { webhookId: webhook.id } },
            {
              onSuccess: ({ messages }) => {
                ask.close();
                const count = messages === 1 ? '1 message' : `${messages.toLocaleString('en')} messages`;
                toast(`${count} discarded.`);
              },
            },
          )
        }
      >
        <p>
          What waits is not sent to {webhook.target_url}. Its status is discarded. Each message can be sent
          again for 30 days.
        </p>
      </ConfirmDialog>
    </>
  );
}
