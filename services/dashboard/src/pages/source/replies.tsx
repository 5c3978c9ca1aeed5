import { Button, TextInput } from '@mantine/core';
import type { Channel } from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { RotateSecret, ShownOnce, useShownSecret } from '../../ui/secrets.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.ts';
import { useToast } from '../../ui/toaster.tsx';
import { typedSince } from '../../ui/typed-since.ts';
import { useUnsaved } from '../../ui/unsaved.ts';
import { MaskedSecret } from './secret-field.tsx';

interface RepliesFormProps {
  readonly channel: Channel;
  readonly mayChange: boolean;
}

/** The form for the reply URL, and for leads from conversations. */
export function RepliesForm({ channel, mayChange }: RepliesFormProps) {
  const save = useWrite(ROUTES.channels.settings, [ROUTES.channels.show, ROUTES.channels.list]);
  const toast = useToast();
  // Contains only the fields touched here. Others follow the stored ones, which another user may change meanwhile.
  const [draft, setDraft] = useState<{ replyUrl?: string; makesLeads?: boolean }>({});
  const stored = { replyUrl: channel.reply_url ?? '', makesLeads: channel.makes_leads };
  const { replyUrl, makesLeads } = { ...stored, ...draft };
  const body = {
    ...(replyUrl.trim() !== stored.replyUrl && { reply_url: replyUrl.trim() || null }),
    ...(makesLeads !== stored.makesLeads && { makes_leads: makesLeads }),
  };
  const isDirty = Object.keys(body).length > 0;
  useUnsaved(isDirty);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDirty) return toast('No changes to save.');
    save.mutate(
      { params: { channelId: channel.channel_id }, body },
      {
        onSuccess: () => {
          setDraft((now) => typedSince(draft, now));
          toast('Replies and leads saved.');
        },
      },
    );
  };
  const wrong = fieldError(save.error, '/reply_url');
  return (
    <form className="stack" onSubmit={onSubmit} noValidate>
      <TextInput
        type="url"
        label="Reply URL"
        description="Replies of agents and integrations are sent here, each signed. Empty: replies fail."
        placeholder="https://chat.example.com/replies"
        value={replyUrl}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setDraft((before) => ({ ...before, replyUrl: value }));
        }}
        disabled={!mayChange}
        error={wrong}
      />
      <Switch
        label="Make leads from conversations"
        description="A visitor with an email address or a phone number becomes a lead, unless a lead already has it."
        checked={makesLeads}
        onChange={(event) => {
          const { checked } = event.currentTarget;
          setDraft((before) => ({ ...before, makesLeads: checked }));
        }}
        disabled={!mayChange}
      />
      {save.error !== null && wrong === undefined && <ErrorNote error={save.error} />}
      {mayChange && (
        <div>
          <Button type="submit" loading={save.isPending}>
            Save replies and leads
          </Button>
        </div>
      )}
    </form>
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
