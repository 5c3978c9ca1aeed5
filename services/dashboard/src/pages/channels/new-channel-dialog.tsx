import { ROUTES } from '@sluice/dashboard-api/routes';
import { useNavigate } from 'react-router';
import { useWrite } from '../../api/queries.ts';
import { channelPath } from '../../shell/page-links.ts';
import { NameDialog } from '../../ui/name-dialog.tsx';

export function NewChannelDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite(ROUTES.channels.create, [ROUTES.channels.list]);
  const navigate = useNavigate();
  return (
    <NameDialog
      title="Add a channel"
      description="The chat widget or platform that will send conversations"
      placeholder="Website chat"
      submit="Add channel"
      pending={create.isPending}
      error={create.error}
      onSubmit={(name) =>
        create.mutate(
          { body: { name } },
          { onSuccess: ({ channel }) => navigate(channelPath(channel.channel_id, 'setup')) },
        )
      }
      onClose={onClose}
    />
  );
}
