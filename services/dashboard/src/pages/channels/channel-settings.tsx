import type { ChannelWithActivity } from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Card } from '../../ui/page.tsx';
import { AboutCard } from '../source/about-card.tsx';
import { DeleteCard } from '../source/delete-card.tsx';
import classes from '../source/settings.module.css';
import { SettingsForm } from '../source/settings-form.tsx';
import { ChannelSwitch } from './channel-switch.tsx';
import { DeleteChannelDialog } from './delete-channel-dialog.tsx';
import { RepliesForm } from './replies-form.tsx';
import { ReplySecret } from './reply-secret.tsx';
import { RotateReplySecret } from './rotate-reply-secret.tsx';

interface ChannelSettingsProps {
  readonly channel: ChannelWithActivity;
  readonly mayChange: boolean;
}

export function ChannelSettings({ channel, mayChange }: ChannelSettingsProps) {
  const save = useWrite(ROUTES.channels.settings, [ROUTES.channels.show, ROUTES.channels.list]);
  const params = { channelId: channel.channel_id };
  // A revealed secret is masked again once it is rotated.
  const [rotations, setRotations] = useState(0);
  return (
    <div className={classes.stack}>
      <Card title="Active">
        <div className={classes.line}>
          <p className="dimmed">An inactive channel responds to every request with 403.</p>
          <ChannelSwitch channel={channel} mayChange={mayChange} />
        </div>
      </Card>
      <Card title="Replies and leads">
        <div className={classes.form}>
          <RepliesForm channel={channel} mayChange={mayChange} />
          {channel.reply_url !== null && mayChange && (
            <>
              <ReplySecret key={rotations} channelId={channel.channel_id} />
              <RotateReplySecret channel={channel} onRotated={() => setRotations((count) => count + 1)} />
            </>
          )}
        </div>
      </Card>
      <Card title="Settings">
        <SettingsForm
          key={channel.channel_id}
          of={channel}
          mayChange={mayChange}
          save={save}
          onSave={(body, onSuccess) => save.mutate({ params, body }, { onSuccess })}
        />
      </Card>
      <AboutCard what="channel" id={channel.channel_id} createdAt={channel.created_at} />
      {mayChange && (
        <DeleteCard
          key={channel.channel_id}
          noun="channel"
          dialog={(onClose) => <DeleteChannelDialog channel={channel} onClose={onClose} />}
        />
      )}
    </div>
  );
}
