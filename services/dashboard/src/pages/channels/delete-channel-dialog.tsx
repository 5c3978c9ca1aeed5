import type { ChannelWithActivity } from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useNavigate } from 'react-router';
import { useRead, useReload, useWrite } from '../../api/queries.ts';
import { useToast } from '../../ui/toaster.tsx';
import { forgetUnsaved } from '../../ui/unsaved.ts';
import { DeleteDialog } from '../source/delete-dialog.tsx';

interface DeleteChannelDialogProps {
  readonly channel: ChannelWithActivity;
  readonly onClose: () => void;
}

export function DeleteChannelDialog({ channel, onClose }: DeleteChannelDialogProps) {
  const params = { channelId: channel.channel_id };
  const effect = useRead(ROUTES.channels.deletion, { params });
  const remove = useWrite(ROUTES.channels.delete);
  const reload = useReload([ROUTES.channels.list, ROUTES.conversations.list]);
  const navigate = useNavigate();
  const toast = useToast();
  const onSuccess = () => {
    toast(`Deleted “${channel.name}”.`);
    forgetUnsaved();
    // The page goes first: it polls, and would report that what it shows is gone.
    void navigate('/settings/channels');
    void reload();
  };
  return (
    <DeleteDialog
      noun="channel"
      contents="conversation"
      of={channel}
      count={effect.data?.conversations}
      effects={EFFECTS}
      now="no reply is sent any more"
      remove={remove}
      onDelete={(conversations) => remove.mutate({ params, body: { conversations } }, { onSuccess })}
      onClose={onClose}
    />
  );
}

const EFFECTS = {
  keep: 'They stay in the list and can be read. Nobody can take them over or reply.',
  delete:
    'They are deleted within minutes with their messages, and cannot be restored. The log loses the stored requests. Leads stay.',
};
