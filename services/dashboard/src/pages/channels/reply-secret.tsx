import { ActionIcon } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Tip } from '../../ui/tip.tsx';
import { useShownSecret } from '../../ui/use-shown-secret.ts';
import setUp from '../source/set-up.module.css';

const MASK = 'whsec_••••••••••••••••••••••••';

/** Shows the secret that verifies replies: masked until revealed, and masked again after 30 s. */
export function ReplySecret({ channelId }: { readonly channelId: string }) {
  const { mutateAsync, reset, error, isPending } = useWrite(ROUTES.channels.revealReplySecret);
  const { secret, reveal, hide, read } = useShownSecret(async () => {
    const { reply_secret: text } = await mutateAsync({ params: { channelId } });
    reset();
    return text;
  });
  return (
    <div>
      <p>Secret of replies</p>
      <p className={`${setUp.hint} dimmed small`}>
        Your server verifies each reply with it, by the Standard Webhooks signature. It differs from the
        signing secret.
      </p>
      <div className={setUp.value}>
        <code className={setUp.box} data-testid="reply-secret">
          {secret ?? MASK}
        </code>
        <Tip label={secret === null ? 'Reveal for 30 seconds' : 'Hide'}>
          <ActionIcon
            variant="subtle"
            color="gray"
            loading={isPending}
            aria-label={secret === null ? 'Reveal secret of replies' : 'Hide secret of replies'}
            onClick={secret === null ? reveal : hide}
          >
            <Icon name={secret === null ? 'eye' : 'eyeOff'} />
          </ActionIcon>
        </Tip>
        <CopyButton text={read} what="secret of replies" />
      </div>
      {error !== null && <ErrorNote error={error} onRetry={reveal} />}
    </div>
  );
}
