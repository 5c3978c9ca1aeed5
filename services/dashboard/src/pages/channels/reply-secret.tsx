import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { useShownSecret } from '../../ui/use-shown-secret.ts';
import { MaskedSecret } from '../source/masked-secret.tsx';
import setUp from '../source/set-up.module.css';

/** Shows the secret that verifies replies: masked until revealed, and masked again after 30 s. */
export function ReplySecret({ channelId }: { readonly channelId: string }) {
  const { mutateAsync, reset, error, isPending } = useWrite(ROUTES.channels.revealReplySecret);
  const shown = useShownSecret(async () => {
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
        <MaskedSecret
          what="secret of replies"
          testId="reply-secret"
          shown={shown}
          isPending={isPending}
          mayReveal
        />
      </div>
      {error !== null && <ErrorNote error={error} onRetry={shown.reveal} />}
    </div>
  );
}
