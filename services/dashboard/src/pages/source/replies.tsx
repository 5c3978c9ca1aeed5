import { TextInput } from '@mantine/core';
import type { Channel } from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Form } from '../../ui/form.tsx';
import { RotateSecret, ShownOnce, useShownSecret } from '../../ui/secrets.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.ts';
import { useToast } from '../../ui/toaster.tsx';
import { useEdits } from '../../ui/use-edits.ts';
import { MaskedSecret } from './secret-field.tsx';

interface RepliesFormProps {
  readonly channel: Channel;
  readonly mayChange: boolean;
}

/** The form for the reply URL, and for leads from conversations. */
export function RepliesForm({ channel, mayChange }: RepliesFormProps) {
  const save = useWrite(ROUTES.channels.settings, [ROUTES.channels.show, ROUTES.channels.list]);
  const toast = useToast();
  const stored = { replyUrl: channel.reply_url ?? '', makesLeads: channel.makes_leads };
  const { edited, edit, onSaved } = useEdits(stored);
  const replyUrl = edited.replyUrl.trim();
  const body = {
    ...(replyUrl !== stored.replyUrl && { reply_url: replyUrl || null }),
    ...(edited.makesLeads !== stored.makesLeads && { makes_leads: edited.makesLeads }),
  };
  const onSuccess = () => {
    onSaved();
    toast('Replies and leads saved.');
  };
  return (
    <Form
      submit={mayChange ? 'Save replies and leads' : null}
      change={save}
      shown={['/reply_url']}
      isDirty={Object.keys(body).length > 0}
      onSubmit={() => save.mutate({ params: { channelId: channel.channel_id }, body }, { onSuccess })}
      noValidate
    >
      <TextInput
        type="url"
        label="Reply URL"
        description="Replies of agents and integrations are sent here, each signed. Empty: replies fail."
        placeholder="https://chat.example.com/replies"
        value={edited.replyUrl}
        onChange={(event) => edit({ replyUrl: event.currentTarget.value })}
        disabled={!mayChange}
        error={fieldError(save.error, '/reply_url')}
      />
      <Switch
        label="Make leads from conversations"
        description="A visitor with an email address or a phone number becomes a lead, unless a lead already has it."
        checked={edited.makesLeads}
        onChange={(event) => edit({ makesLeads: event.currentTarget.checked })}
        disabled={!mayChange}
      />
    </Form>
  );
}

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
      <p className="dimmed small">
        Your server verifies each reply with it, by the Standard Webhooks signature. It differs from the
        signing secret.
      </p>
      <div className="row">
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
          <ShownOnce
            text={secret}
            label="New secret of replies"
            what="new secret"
            intro={<p>Configure it in the server that receives replies.</p>}
            lost={null}
            onDone={onDone}
          />
        )}
      </RotateSecret>
    </div>
  );
}
