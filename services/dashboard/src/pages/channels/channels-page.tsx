import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { ChannelTable } from './channel-table.tsx';
import { NewChannelDialog } from './new-channel-dialog.tsx';

const REFRESH_MS = 10_000;

export function ChannelsPage() {
  const channels = useRead(ROUTES.channels.list, {}, { everyMs: REFRESH_MS });
  const mayChange = useMay('admin');
  const [creating, create] = useDisclosure(false);
  const newChannel = mayChange && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={create.open}>
      Add channel
    </Button>
  );
  const isEmpty = channels.data?.items.length === 0;
  return (
    <Page
      title="Channels"
      crumbs={[{ label: 'Settings' }]}
      lead="Chat widgets and messaging platforms send their conversations here, and receive the replies."
      actions={isEmpty ? null : newChannel}
    >
      <Card flush>
        <Loaded query={channels}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="channel" title="Add your first channel" actions={newChannel}>
                A channel gets an endpoint URL and a signing secret. The next page has code that sends a first
                message.{!mayChange && ' An owner or admin of the account can add one.'}
              </Empty>
            ) : (
              <ChannelTable channels={items} mayChange={mayChange} />
            )
          }
        </Loaded>
      </Card>
      {creating && <NewChannelDialog onClose={create.close} />}
    </Page>
  );
}
