import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useToast } from '../../ui/toaster.tsx';
import settings from '../source/settings.module.css';

/** Ends what waits for a receiver as discarded. */
export function DiscardWaiting({ webhook }: { readonly webhook: WebhookItem }) {
  const [asked, ask] = useDisclosure();
  const discard = useWrite(ROUTES.webhooks.discard, [ROUTES.webhooks.messages, ROUTES.webhooks.show]);
  const toast = useToast();
  const waiting = webhook.health.waiting.toLocaleString('en');
  return (
    <div className={settings.line}>
      <span className="dimmed">{waiting} messages wait.</span>
      <Button variant="default" color="danger" onClick={ask.open}>
        Discard
      </Button>
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
                toast(`${messages.toLocaleString('en')} messages discarded.`);
              },
            },
          )
        }
      >
        <p>
          {waiting} messages are not sent to {webhook.target_url}. Their status is discarded. Each can be sent
          again for 30 days.
        </p>
      </ConfirmDialog>
    </div>
  );
}
