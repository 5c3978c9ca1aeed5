import { Button, TextInput } from '@mantine/core';
import type { Channel } from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.ts';
import { useToast } from '../../ui/toaster.tsx';
import { typedSince } from '../../ui/typed-since.ts';
import { useUnsaved } from '../../ui/unsaved.ts';
import classes from '../source/settings.module.css';

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
    <form className={classes.form} onSubmit={onSubmit} noValidate>
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
