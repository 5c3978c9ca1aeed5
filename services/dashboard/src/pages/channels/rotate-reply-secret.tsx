import type { Channel } from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { NewSecret } from '../../ui/new-secret.tsx';
import { RotateSecret } from '../../ui/rotate-secret.tsx';

interface RotateReplySecretProps {
  readonly channel: Channel;
  readonly onRotated: () => void;
}

/** Rotates the secret of replies, and shows the new one. */
export function RotateReplySecret({ channel, onRotated }: RotateReplySecretProps) {
  const rotate = useWrite(ROUTES.channels.rotateReplySecret, [ROUTES.channels.show, ROUTES.channels.list]);
  const params = { channelId: channel.channel_id };
  return (
    <div>
      {channel.reply_overlap_until !== null && (
        <p className="dimmed small">
          Replies are signed with the old secret too. It expires <Ago at={channel.reply_overlap_until} />.
        </p>
      )}
      <RotateSecret
        secret="secret of replies"
        signed="replies"
        none="0"
        rotate={rotate}
        onRotate={(overlap) => rotate.mutate({ params, body: { overlap } }, { onSuccess: onRotated })}
        made={rotate.data?.reply_secret}
      >
        {(secret, onDone) => (
          <NewSecret secret={secret} label="New secret of replies" what="new secret" onDone={onDone}>
            Configure it in the server that receives replies.
          </NewSecret>
        )}
      </RotateSecret>
    </div>
  );
}
