import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { channelPath } from '../../shell/page-links.ts';
import { Empty } from '../../ui/states.tsx';

interface NoConversationsProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

/** Names the next step: add a channel, send a message, or clear the filters. */
export function NoConversations({ isFiltered, onClear }: NoConversationsProps) {
  const channels = useRead(ROUTES.channels.list, {}, { enabled: !isFiltered });
  const mayChange = useMay('admin');
  if (isFiltered)
    return (
      <Empty
        icon="search"
        title="No matching conversations"
        actions={
          <Button variant="default" onClick={onClear}>
            Clear all filters
          </Button>
        }
      >
        New matching conversations appear here automatically.
      </Empty>
    );
  const [first] = channels.data?.items ?? [];
  if (first !== undefined)
    return (
      <Empty
        icon="conversations"
        title="Waiting for the first conversation"
        actions={
          <Button component={Link} to={channelPath(first.channel_id, 'setup')}>
            Show the code
          </Button>
        }
      >
        Send a signed message to the endpoint URL of the channel {first.name}. It appears here within two
        seconds.
      </Empty>
    );
  return (
    <Empty
      icon="conversations"
      title="Add a channel to receive conversations"
      actions={
        <Button component={Link} to="/settings/channels">
          {mayChange ? 'Add a channel' : 'Channels'}
        </Button>
      }
    >
      A channel is your chat widget or messaging platform. It gets an endpoint URL and a signing secret, and
      sends its conversations here.
      {!mayChange && ' An owner or admin of the account can add one.'}
    </Empty>
  );
}
