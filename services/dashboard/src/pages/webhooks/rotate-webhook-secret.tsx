import { Button, Modal, NativeSelect } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookRotation } from '@sluice/dashboard-api/webhooks';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import dialog from '../../ui/dialog.module.css';
import { ErrorNote } from '../../ui/states.tsx';
import { SecretShownOnce } from './secret-shown-once.tsx';

type Overlap = WebhookRotation['overlap'];

const OVERLAPS: readonly { readonly value: Overlap; readonly label: string }[] = [
  { value: '24h', label: 'Signs for 24 more hours' },
  { value: '1h', label: 'Signs for 1 more hour' },
  { value: 'none', label: 'Stops signing now' },
];

/** Rotates the secret of a subscription, and shows the new one. */
export function RotateWebhookSecret({ webhookId }: { readonly webhookId: string }) {
  const [opened, setOpened] = useState(false);
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const rotate = useWrite(ROUTES.webhooks.rotateSecret, [ROUTES.webhooks.show]);
  const close = () => {
    setOpened(false);
    rotate.reset();
  };
  const made = rotate.data;
  return (
    <div>
      <Button variant="default" onClick={() => setOpened(true)}>
        Rotate secret
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={made === undefined ? 'Rotate secret' : 'The new secret is active'}
        size="lg"
        closeOnClickOutside={made === undefined}
      >
        {made === undefined ? (
          <div className={dialog.body}>
            <p>
              Messages are signed with the new secret immediately. During an overlap they have two signatures,
              so your server can verify them with either secret.
            </p>
            <NativeSelect
              label="Old secret"
              description={
                overlap === 'none' ? 'Your server rejects messages until it has the new secret.' : undefined
              }
              data={[...OVERLAPS]}
              value={overlap}
              onChange={(event) => setOverlap(event.currentTarget.value as Overlap)}
            />
            {rotate.error !== null && <ErrorNote error={rotate.error} />}
            <div className={dialog.buttons}>
              <Button variant="default" onClick={close} data-autofocus>
                Cancel
              </Button>
              <Button
                color="danger"
                loading={rotate.isPending}
                onClick={() => rotate.mutate({ params: { webhookId }, body: { overlap } })}
              >
                Rotate now
              </Button>
            </div>
          </div>
        ) : (
          <SecretShownOnce secret={made.secret} done="Done" onDone={close} />
        )}
      </Modal>
    </div>
  );
}
