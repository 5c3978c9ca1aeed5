import { Button, Modal, NativeSelect } from '@mantine/core';
import type { Overlap } from '@sluice/contract/overlap';
import type { Channel } from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { CopyTextButton } from '../../ui/copy-button.tsx';
import dialog from '../../ui/dialog.module.css';
import { SecretText } from '../../ui/secret-text.tsx';
import { ErrorNote } from '../../ui/states.tsx';

const OVERLAP_CHOICES: readonly { readonly value: Overlap; readonly label: string }[] = [
  { value: '24h', label: 'Signs for 24 more hours' },
  { value: '1h', label: 'Signs for 1 more hour' },
  { value: '0', label: 'Stops signing now' },
];

/** Rotates the secret of replies, and shows the new one. */
export function RotateReplySecret({ channel }: { readonly channel: Channel }) {
  const [opened, setOpened] = useState(false);
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const rotate = useWrite(ROUTES.channels.rotateReplySecret, [ROUTES.channels.show, ROUTES.channels.list]);
  const close = () => {
    setOpened(false);
    rotate.reset();
  };
  const done = rotate.data;
  const title = done === undefined ? 'Rotate secret of replies' : 'The new secret of replies is active';
  return (
    <div>
      {channel.reply_overlap_until !== null && (
        <p className="dimmed small">
          Replies are signed with the old secret too. It expires <Ago at={channel.reply_overlap_until} />.
        </p>
      )}
      <Button variant="default" onClick={() => setOpened(true)}>
        Rotate secret of replies
      </Button>
      <Modal opened={opened} onClose={close} title={title} size="lg" closeOnClickOutside={done === undefined}>
        {done === undefined ? (
          <div className={dialog.body}>
            <p>
              Replies are signed with the new secret immediately. During an overlap they have two signatures,
              so your server can verify them with either secret.
            </p>
            <NativeSelect
              label="Old secret of replies"
              description={
                overlap === '0' ? 'Your server rejects replies until it has the new secret.' : undefined
              }
              data={[...OVERLAP_CHOICES]}
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
                onClick={() =>
                  rotate.mutate({ params: { channelId: channel.channel_id }, body: { overlap } })
                }
              >
                Rotate now
              </Button>
            </div>
          </div>
        ) : (
          <div className={dialog.body}>
            <p>Configure it in the server that receives replies.</p>
            <SecretText text={done.reply_secret} label="New secret of replies" />
            <div className={dialog.row}>
              <CopyTextButton text={done.reply_secret} what="new secret" primary autoFocus />
            </div>
            <div className={dialog.buttons}>
              <Button onClick={close}>Done</Button>
            </div>
          </div>
        )}
      </Modal>
    </div>
  );
}
